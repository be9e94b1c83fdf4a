package org.lrwp.download;

import org.lrwp.download.file.FileFaultException;
import org.lrwp.download.file.OpenFile;
import org.lrwp.sdk.FileRegion;

import java.io.IOException;
import java.nio.channels.WritableByteChannel;

/**
 * A part of a file that the system sends. Its last bytes go only while the file is as it was.
 *
 * @param file stays open until the exchange is over
 * @param at where the part begins
 * @param length its bytes
 * @param listener told how it fares
 */
record LentPart(OpenFile file, long at, long length, Listener listener) implements FileRegion {
    /** Hears of a part's end, on a thread of the proxy. */
    interface Listener {
        /** All of it has been sent. */
        void partSent();

        /** The file cannot be sent any more. */
        void partFailed(String reason);
    }

    @Override
    public long transferTo(long from, long most, WritableByteChannel target) throws IOException {
        long sent;
        try {
            if (from + most >= length) {
                file.requireUnchanged();
            }
            sent = file.send(at + from, most, target);
        } catch (FileFaultException e) {
            listener.partFailed(String.valueOf(e.getMessage()));
            return -1;
        }
        if (from + sent >= length) {
            listener.partSent();
        }
        return sent;
    }
}
