package org.lrwp.webapp.glassfish;

import org.glassfish.grizzly.http.util.ByteChunk;
import org.glassfish.grizzly.http.util.DataChunk;
import org.glassfish.grizzly.http.util.MimeHeaders;
import org.jspecify.annotations.Nullable;
import org.lrwp.engine.request.RequestHead;

import java.util.Arrays;

/**
 * A checked head with the octets it was made of, so that the next one with the same octets need not
 * be read and checked again. Immutable.
 */
final class KeptHead {
    private static final int MOST_OCTETS = 4096;
    private static final int CUTS = 4;

    private final RequestHead head;
    private final byte[] octets;

    /** Where each name and each value starts and ends in the octets. */
    private final int[] cuts;

    private KeptHead(RequestHead head, byte[] octets, int[] cuts) {
        this.head = head;
        this.octets = octets;
        this.cuts = cuts;
    }

    /**
     * Keeps a head.
     *
     * @param head the head
     * @param fields what its fields were made of
     * @return null when they are not octets of one array, or too many
     */
    static @Nullable KeptHead of(RequestHead head, MimeHeaders fields) {
        byte[] buffer = buffer(fields);
        if (buffer == null) {
            return null;
        }
        int start = start(fields);
        int[] cuts = new int[CUTS * fields.size()];
        int end = 0;
        for (int i = 0; i < fields.size(); i++) {
            cut(fields.getName(i), start, cuts, CUTS * i);
            cut(fields.getValue(i), start, cuts, CUTS * i + 2);
            end = Math.max(end, cuts[CUTS * i + CUTS - 1]);
        }
        for (int cut : cuts) {
            if (cut < 0 || cut > end || end > MOST_OCTETS) {
                return null;
            }
        }
        return new KeptHead(head, Arrays.copyOfRange(buffer, start, start + end), cuts);
    }

    RequestHead head() {
        return head;
    }

    /**
     * Whether a head with that method, protocol and these fields is this one but for its target.
     */
    boolean isLike(String method, String protocol, MimeHeaders fields) {
        return method.equals(head.method())
                && protocol.equals(head.protocol())
                && hasFields(fields);
    }

    /** What is kept of a head that differs in its target only. */
    KeptHead with(RequestHead other) {
        return new KeptHead(other, octets, cuts);
    }

    private boolean hasFields(MimeHeaders fields) {
        if (CUTS * fields.size() != cuts.length) {
            return false;
        }
        byte[] buffer = buffer(fields);
        if (buffer == null) {
            return false;
        }
        int start = start(fields);
        for (int i = 0; i < fields.size(); i++) {
            if (!isCut(fields.getName(i), start, CUTS * i)
                    || !isCut(fields.getValue(i), start, CUTS * i + 2)) {
                return false;
            }
        }
        int end = start + octets.length;
        return end <= buffer.length && Arrays.equals(buffer, start, end, octets, 0, octets.length);
    }

    private boolean isCut(DataChunk chunk, int start, int at) {
        ByteChunk octets = chunk.getByteChunk();
        return octets.getStart() - start == cuts[at] && octets.getEnd() - start == cuts[at + 1];
    }

    private static void cut(DataChunk chunk, int start, int[] cuts, int at) {
        cuts[at] = chunk.getByteChunk().getStart() - start;
        cuts[at + 1] = chunk.getByteChunk().getEnd() - start;
    }

    private static int start(MimeHeaders fields) {
        return fields.getName(0).getByteChunk().getStart();
    }

    /** The array that all names and values are in; null when there is none. */
    @SuppressWarnings("ReferenceEquality") // The same array, not one like it.
    private static byte @Nullable [] buffer(MimeHeaders fields) {
        byte[] buffer = null;
        for (int i = 0; i < fields.size(); i++) {
            DataChunk name = fields.getName(i);
            DataChunk value = fields.getValue(i);
            if (name.getType() != DataChunk.Type.Bytes || value.getType() != DataChunk.Type.Bytes) {
                return null;
            }
            byte[] array = name.getByteChunk().getBuffer();
            if (array != value.getByteChunk().getBuffer() || (i > 0 && array != buffer)) {
                return null;
            }
            buffer = array;
        }
        return buffer;
    }
}
