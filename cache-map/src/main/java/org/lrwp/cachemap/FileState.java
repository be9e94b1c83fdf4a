package org.lrwp.cachemap;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What a file says of who has it open: in its first page, at byte 256.
 *
 * @param clean whether its owner closed it
 * @param boot0 first half of the id of the machine's start under which it was opened; 0 when the
 *     machine has none
 * @param boot1 the other half
 * @param inode of the file its bytes were reserved for
 * @param opened milliseconds of the epoch
 * @param process id of the owner
 */
record FileState(boolean clean, long boot0, long boot1, long inode, long opened, long process) {
    static final int AT = 256;

    private static final int OPEN = 0x4e45504f;
    private static final int CLOSED = 0x45534c43;
    private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

    static FileState read(MemorySegment map) {
        return new FileState(
                map.get(Layout.INT, AT) == CLOSED,
                map.get(Layout.LONG, AT + 8),
                map.get(Layout.LONG, AT + 16),
                map.get(Layout.LONG, AT + 24),
                map.get(Layout.LONG, AT + 32),
                map.get(Layout.LONG, AT + 40));
    }

    /** Returns what the file of this process says, now. */
    static FileState now(Path file, long now) throws IOException {
        String boot = "0".repeat(32);
        if (Files.isReadable(BOOT_ID)) {
            boot = Files.readString(BOOT_ID, StandardCharsets.US_ASCII).strip().replace("-", "");
        }
        return new FileState(
                false,
                Long.parseUnsignedLong(boot.substring(0, 16), 16),
                Long.parseUnsignedLong(boot.substring(16), 16),
                inode(file),
                now,
                ProcessHandle.current().pid());
    }

    private static long inode(Path file) throws IOException {
        try {
            return (long) Files.getAttribute(file, "unix:ino");
        } catch (UnsupportedOperationException e) {
            return 0;
        }
    }

    /** Says whether the machine has run on since. */
    boolean isOfBoot(FileState other) {
        return (boot0 | boot1) != 0 && boot0 == other.boot0 && boot1 == other.boot1;
    }

    void write(MemorySegment map) {
        map.set(Layout.LONG, AT + 8, boot0);
        map.set(Layout.LONG, AT + 16, boot1);
        map.set(Layout.LONG, AT + 24, inode);
        map.set(Layout.LONG, AT + 32, opened);
        map.set(Layout.LONG, AT + 40, process);
        map.set(Layout.INT, AT, OPEN);
    }

    static void writeClosed(MemorySegment map) {
        map.set(Layout.INT, AT, CLOSED);
    }
}
