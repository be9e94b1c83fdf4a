package org.lrwp.osp;

import org.lrwp.osp.cdr.CdrDatabase;
import org.lrwp.osp.cdr.CdrStore;
import org.lrwp.osp.configuration.OspConfiguration;
import org.lrwp.osp.file.PrivateFiles;
import org.lrwp.runtime.BadOptionException;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;
import java.util.function.Consumer;

/** Opens what the peer keeps of calls. */
final class RecordsStart {
    private RecordsStart() {}

    static CdrDatabase.Address address(OspConfiguration configuration, Path data)
            throws BadOptionException {
        OspConfiguration.Records records = configuration.records();
        if (records.database().isEmpty()) {
            return own(data.resolve("osp.db"));
        }
        String password = Secrets.password("cdr.password-file", records.passwordFile());
        return new CdrDatabase.Address(records.database(), records.user(), password);
    }

    /** SQLite gives the files beside its database the mode of that, so it is made first. */
    private static CdrDatabase.Address own(Path file) throws BadOptionException {
        try {
            PrivateFiles.makeFolderOf(file);
            PrivateFiles.own(file);
        } catch (IOException failed) {
            throw new BadOptionException("--data: " + file + " cannot be used");
        }
        return new CdrDatabase.Address("jdbc:sqlite:" + file, "", "");
    }

    /** Gives the folder back. */
    static void unlock(FileChannel lock) {
        try {
            lock.close();
        } catch (IOException ignored) {
            // The end of the process gives it back.
        }
    }

    /**
     * Takes the folder for this process; the lock ends with the process. The channel has to be
     * held: one that nobody holds is closed by the collector, and the lock with it.
     */
    static FileChannel lock(Path data) throws BadOptionException {
        try {
            PrivateFiles.makeFolder(data);
            FileChannel file = PrivateFiles.open(data.resolve("lock"), StandardOpenOption.WRITE);
            if (file.tryLock() != null) {
                return file;
            }
            file.close();
        } catch (OverlappingFileLockException sameProcess) {
            // Said below, like the lock of another process.
        } catch (IOException failed) {
            throw new BadOptionException("--data: " + data + " cannot be used");
        }
        throw new BadOptionException("--data: another peer uses " + data);
    }

    static CdrStore store(OspConfiguration configuration, Path data, Consumer<String> log)
            throws BadOptionException {
        OspConfiguration.Records records = configuration.records();
        try {
            return new CdrStore(
                    data.resolve("journal"),
                    new CdrStore.Settings(
                            address(configuration, data),
                            records.journal(),
                            records.repeats(),
                            records.keep()),
                    InstantSource.system(),
                    log);
        } catch (IOException failed) {
            throw new BadOptionException("--data: " + data + " cannot be used");
        }
    }
}
