package org.lrwp.engine.transport.tls;

import java.nio.ByteBuffer;

/**
 * Buffers that all links of a thread share, each only within one call. On the heap, because the
 * JDK's ciphers work on arrays.
 */
final class TlsBuffers {
    /** No record and no content of one is larger, whatever a peer sends: RFC 8446 section 5.2. */
    static final int RECORD = 17 * 1024;

    private static final int READ = 64 * 1024;
    private static final int WRITE = 4 * RECORD + RECORD;

    /**
     * Holds nothing but buffers: the threads may be the container's, and outlive the application.
     */
    private final ThreadLocal<ByteBuffer[]> here =
            ThreadLocal.withInitial(
                    () ->
                            new ByteBuffer[] {
                                ByteBuffer.allocate(READ),
                                ByteBuffer.allocate(WRITE),
                                ByteBuffer.allocate(RECORD)
                            });

    /** Ciphertext that comes in. */
    ByteBuffer in() {
        return here.get()[0].clear();
    }

    /** Ciphertext that goes out: four full records, and one more that is begun. */
    ByteBuffer out() {
        return here.get()[1].clear();
    }

    /** The content of one record. */
    ByteBuffer content() {
        return here.get()[2].clear();
    }
}
