package org.lrwp.webapp.glassfish;

import org.glassfish.grizzly.http.util.ByteChunk;
import org.glassfish.grizzly.http.util.DataChunk;

import java.util.Arrays;

/**
 * Where the last request to a peer on a client's connection went, as octets: most clients ask for
 * the same again, and then nobody has to look for its context twice. Immutable.
 */
final class LastTarget {
    static final LastTarget NONE = new LastTarget(new byte[0], new byte[0], -1);

    private final byte[] host;
    private final byte[] path;
    private final long bodyLength;

    private LastTarget(byte[] host, byte[] path, long bodyLength) {
        this.host = host;
        this.path = path;
        this.bodyLength = bodyLength;
    }

    /** That of a request; {@link #NONE} when the container does not have it as octets. */
    static LastTarget of(DataChunk host, DataChunk path, long bodyLength) {
        return isOctets(host) && isOctets(path)
                ? new LastTarget(octets(host), octets(path), bodyLength)
                : NONE;
    }

    /** Whether a request goes to the same host and path, and its body is no longer. */
    boolean isThatOf(DataChunk otherHost, DataChunk otherPath, long otherLength) {
        return otherLength <= bodyLength && otherHost.equals(host) && otherPath.equals(path);
    }

    private static boolean isOctets(DataChunk chunk) {
        return chunk.getType() == DataChunk.Type.Bytes;
    }

    private static byte[] octets(DataChunk chunk) {
        ByteChunk now = chunk.getByteChunk();
        return Arrays.copyOfRange(now.getBuffer(), now.getStart(), now.getEnd());
    }
}
