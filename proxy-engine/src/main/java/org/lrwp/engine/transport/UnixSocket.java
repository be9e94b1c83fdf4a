package org.lrwp.engine.transport;

import jdk.net.ExtendedSocketOptions;

import org.jspecify.annotations.Nullable;
import org.lrwp.files.PrivateFile;

import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipalNotFoundException;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A Unix domain socket that listens, with its file.
 *
 * <p>The socket is made in a folder of its own that nobody else can enter, gets its group and mode
 * there, and is then moved to its place: nobody can connect before the mode is right. What stands
 * at that place is replaced only when it is a socket of the same user at which nobody listens.
 *
 * <p>Opening and closing block on the disk.
 */
final class UnixSocket implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(UnixSocket.class.getName());
    private static final int BACKLOG = 1024;

    /** What systems take of a path; Linux and Solaris 107, macOS and BSD 103. */
    private static final int LONGEST_PATH = 103;

    private static final int FORMAT = 0170000;
    private static final int SOCKET = 0140000;
    private static final String INNER_NAME = "s";

    private final Path path;
    private final ServerSocketChannel channel;
    private final @Nullable Object file;

    private UnixSocket(Path path, ServerSocketChannel channel, @Nullable Object file) {
        this.path = path;
        this.channel = channel;
        this.file = file;
    }

    /**
     * Listens.
     *
     * @param config where, and for whom
     * @throws IOException when it cannot; the message names the path
     */
    static UnixSocket open(SocketConfig config) throws IOException {
        Path path = config.path().toAbsolutePath();
        Path folder = path.getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            throw new IOException("the folder of " + path + " does not exist");
        }
        PrivateFile.checkFolder(path);
        checkReplaceable(path);
        Path inner = privateFolder(folder);
        Path made = inner.resolve(INNER_NAME);
        try {
            checkLength(path);
            checkLength(made);
            ServerSocketChannel channel = listen(made);
            try {
                setGroup(made, config.group());
                Files.setPosixFilePermissions(made, config.mode());
                Files.move(made, path, StandardCopyOption.ATOMIC_MOVE);
                return new UnixSocket(path, channel, key(path));
            } catch (IOException | RuntimeException e) {
                channel.close();
                throw e;
            }
        } finally {
            Files.deleteIfExists(made);
            Files.delete(inner);
        }
    }

    private static void setGroup(Path made, String name) throws IOException {
        if (name.isEmpty()) {
            return;
        }
        try {
            GroupPrincipal group =
                    made.getFileSystem()
                            .getUserPrincipalLookupService()
                            .lookupPrincipalByGroupName(name);
            Files.getFileAttributeView(made, PosixFileAttributeView.class).setGroup(group);
        } catch (UserPrincipalNotFoundException e) {
            throw new IOException("there is no group " + name, e);
        } catch (FileSystemException e) {
            throw new IOException(
                    "the socket cannot get the group %s (%s): the proxy's user has to be in it"
                            .formatted(name, e.getReason()),
                    e);
        }
    }

    private static ServerSocketChannel listen(Path made) throws IOException {
        ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            channel.bind(UnixDomainSocketAddress.of(made), BACKLOG);
            channel.configureBlocking(false);
            return channel;
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private static Path privateFolder(Path folder) throws IOException {
        var owner = PosixFilePermissions.fromString("rwx------");
        while (true) {
            int random = ThreadLocalRandom.current().nextInt(0x10000, 0x100000);
            Path inner = folder.resolve("." + Integer.toHexString(random));
            try {
                return Files.createDirectory(inner, PosixFilePermissions.asFileAttribute(owner));
            } catch (FileAlreadyExistsException taken) {
                LOG.log(System.Logger.Level.DEBUG, "folder-taken", taken);
            }
        }
    }

    private static void checkLength(Path path) throws IOException {
        int length = path.toString().getBytes(StandardCharsets.UTF_8).length;
        if (length > LONGEST_PATH) {
            throw new IOException(
                    "%s is too long for a socket: %d bytes, at most %d"
                            .formatted(path, length, LONGEST_PATH));
        }
    }

    /** What is there is a socket that this user has left behind, or nothing. */
    private static void checkReplaceable(Path path) throws IOException {
        int mode;
        try {
            mode = (int) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
        } catch (NoSuchFileException nothing) {
            return;
        }
        if ((mode & FORMAT) != SOCKET) {
            throw new IOException(path + " is there, and is no socket: it is left as it is");
        }
        if (!PrivateFile.isOwn(path)) {
            throw new IOException(
                    path
                            + " belongs to "
                            + Files.getOwner(path, LinkOption.NOFOLLOW_LINKS)
                            + ": it is left as it is");
        }
        if (isAnswered(path)) {
            throw new IOException(path + " is in use: another program listens there");
        }
    }

    private static boolean isAnswered(Path path) throws IOException {
        checkLength(path);
        try (SocketChannel probe = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            // A queue that is full would keep a blocking one waiting.
            probe.configureBlocking(false);
            probe.connect(UnixDomainSocketAddress.of(path));
            return true;
        } catch (ConnectException refused) {
            return false;
        }
    }

    private static @Nullable Object key(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                .fileKey();
    }

    ServerSocketChannel channel() {
        return channel;
    }

    Path path() {
        return path;
    }

    /**
     * Says who has connected.
     *
     * @param accepted a connection of this socket
     * @return the owner of the process at the other end, by name or number
     */
    static String userOf(SocketChannel accepted) throws IOException {
        return accepted.getOption(ExtendedSocketOptions.SO_PEERCRED).user().getName();
    }

    /** Removes the file, unless somebody has put another one there. */
    @Override
    public void close() {
        SelectorLoop.closeQuietly(channel);
        try {
            if (file != null && file.equals(key(path))) {
                Files.delete(path);
            }
        } catch (NoSuchFileException gone) {
            LOG.log(System.Logger.Level.DEBUG, "socket-removed-by-others", gone);
        } catch (IOException e) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "socket-not-removed path=\"{0}\" reason=\"{1}\"",
                    path,
                    e.getMessage());
        }
    }
}
