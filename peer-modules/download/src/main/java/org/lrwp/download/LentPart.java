package org.lrwp.download;

import org.lrwp.download.file.FileFaultException;
import org.lrwp.download.file.OpenFile;
import org.lrwp.sdk.FileRegion;

import java.io.IOException;
import java.nio.channels.WritableByteChannel;
import java.util.function.Consumer;

/**
 * A part of a file that the system sends.
 *
 * @param file stays open until the exchange is over
 * @param at where the part begins
 * @param length its octets
 * @param failed told why the file cannot be sent any more
 */
record LentPart(OpenFile file, long at, long length, Consumer<String> failed)
        implements FileRegion {
    @Override
    public long transferTo(long from, long most, WritableByteChannel target) throws IOException {
        try {
            return file.send(at + from, most, target);
        } catch (FileFaultException e) {
            failed.accept(String.valueOf(e.getMessage()));
            return -1;
        }
    }
}
