package org.lrwp.osp;

import org.lrwp.osp.file.PrivateFiles;
import org.lrwp.osp.message.Reply;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;
import java.util.function.Consumer;

/**
 * The file with the calls of each minute. Above its size it is put aside as {@code nexus.log.1}; an
 * older one is replaced. For one thread at a time.
 */
final class NexusLog implements Consumer<String> {
    private final Path file;
    private final long most;
    private final InstantSource clock;

    NexusLog(Path file, long most, InstantSource clock) {
        this.file = file;
        this.most = most;
        this.clock = clock;
    }

    @Override
    public synchronized void accept(String line) {
        try {
            if (Files.exists(file) && Files.size(file) > most) {
                Files.move(
                        file,
                        file.resolveSibling(file.getFileName() + ".1"),
                        StandardCopyOption.REPLACE_EXISTING);
            }
            PrivateFiles.own(file);
            Files.writeString(
                    file,
                    Reply.timestamp(clock.instant()) + " " + line + "\n",
                    StandardCharsets.UTF_8,
                    StandardOpenOption.APPEND);
        } catch (IOException failed) {
            // The same line is in the program's own log; a full disk shows there and in the
            // journal.
        }
    }
}
