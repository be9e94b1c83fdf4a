package org.lrwp.systemtests.harness;

import java.io.IOException;

/** A way to a server that can be silent: then nothing comes through, and nobody is told. */
public interface SilentWay extends AutoCloseable {
    /** Where it begins: host and port. */
    String address();

    /** Lets nothing through while something is done; by one thread at a time. */
    void silentWhile(Runnable done);

    @Override
    void close() throws IOException;
}
