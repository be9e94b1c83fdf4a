package org.lrwp.osp.token;

import org.lrwp.files.ChangeDetector;
import org.lrwp.files.FileStamp;

import java.util.List;
import java.util.function.Consumer;

/**
 * Watches the files of a key: when they have changed, the new key signs and the old one still
 * verifies. Files that cannot be used change nothing but the log. For one thread.
 */
public final class KeyRotation {
    private final IdentitySource source;
    private final Keys keys;
    private final KeySeparation separation;
    private final Consumer<String> log;
    private final ChangeDetector<List<FileStamp>> changes;

    /**
     * Creates a watch; what the files hold now is taken as known.
     *
     * @param source the files
     * @param keys what is rotated
     * @param separation what a new key must not be
     * @param log takes a line for each rotation and each fault
     */
    public KeyRotation(
            IdentitySource source, Keys keys, KeySeparation separation, Consumer<String> log) {
        this.source = source;
        this.keys = keys;
        this.separation = separation;
        this.log = log;
        this.changes =
                new ChangeDetector<>(() -> source.files().stream().map(FileStamp::of).toList());
    }

    /** Takes the files when they have changed and nobody has written since the last look. */
    public void look() {
        if (!changes.hasChanged()) {
            return;
        }
        try {
            SigningIdentity next = source.read();
            separation.check(next.certificate());
            if (keys.rotate(next)) {
                log.accept("key-rotated certificates-that-verify=" + keys.ring().trusted().size());
            }
        } catch (IdentityException unfit) {
            if (changes.failed(String.valueOf(unfit.getMessage()))) {
                log.accept("key-not-rotated reason=\"" + unfit.getMessage() + "\"");
            }
        }
    }
}
