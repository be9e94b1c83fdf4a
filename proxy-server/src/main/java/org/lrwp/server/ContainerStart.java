package org.lrwp.server;

import picocli.CommandLine;

import java.util.Locale;

/** When the servlet container starts. */
enum ContainerStart {
    /** With the first request that no program answers. */
    DEMAND,
    /** With the proxy, before its HTTP port is open. */
    START;

    /** Reads the words of the command line, which are in lower case. */
    static final class Converter implements CommandLine.ITypeConverter<ContainerStart> {
        @Override
        public ContainerStart convert(String word) {
            for (ContainerStart one : values()) {
                if (one.name().toLowerCase(Locale.ROOT).equals(word)) {
                    return one;
                }
            }
            throw new CommandLine.TypeConversionException("it is demand or start, not " + word);
        }
    }
}
