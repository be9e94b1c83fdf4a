package org.lrwp.protocol.frame;

import org.lrwp.protocol.MalformedFrameException;
import org.lrwp.protocol.Names;
import org.lrwp.protocol.UpgradeNames;

import java.nio.ByteBuffer;

/**
 * What a peer says about itself in its first frame: docs/protocol.md section 14.
 *
 * @param name what the peer calls itself, for status and log; one byte per character, no NUL, at
 *     most {@link #MAX_NAME}
 * @param capacity requests at once, 0 or more; 0 is a pause
 * @param maxFrame most bytes of a payload that the peer takes, at least {@link #MIN_MAX_FRAME}
 * @param window bytes of body that the peer takes on each stream before it grants more, 0 to {@link
 *     #UNLIMITED}, which means that nothing is counted
 * @param started whether the peer sends STARTED before it enters a handler
 * @param stream whether the peer wants bodies as they come
 * @param ping whether the peer answers PING at any time
 * @param upgrade the protocols that the peer takes instead of HTTP
 * @param instance the same for all connections of one process, 1 to {@link Names#MAX_LENGTH}
 *     letters, digits, {@code .}, {@code _} and {@code -}; empty when each connection stands for
 *     itself
 */
public record PeerSettings(
        String name,
        int capacity,
        int maxFrame,
        long window,
        boolean started,
        boolean stream,
        boolean ping,
        UpgradeNames upgrade,
        String instance) {
    /** The window that is no limit. */
    public static final long UNLIMITED = 4_294_967_295L;

    /** Least max-frame, and the one of a side that names none; in bytes. */
    public static final int MIN_MAX_FRAME = 65_536;

    /** The window of a side that names none, in bytes. */
    public static final long DEFAULT_WINDOW = 65_536;

    /** Most bytes of a name; what a side sends beyond is cut off. */
    public static final int MAX_NAME = SettingsWriter.MAX_NAME;

    /** What a peer says that sends an empty SETTINGS frame. */
    public static final PeerSettings DEFAULT =
            new PeerSettings("", 1, MIN_MAX_FRAME, DEFAULT_WINDOW, false, false, false);

    /**
     * Creates the settings of a peer that takes HTTP only and names no instance.
     *
     * @param name what the peer calls itself
     * @param capacity requests at once
     * @param maxFrame most bytes of a payload
     * @param window bytes of body on each stream before it grants more
     * @param started whether the peer sends STARTED before it enters a handler
     * @param stream whether the peer wants bodies as they come
     * @param ping whether the peer answers PING at any time
     */
    public PeerSettings(
            String name,
            int capacity,
            int maxFrame,
            long window,
            boolean started,
            boolean stream,
            boolean ping) {
        this(name, capacity, maxFrame, window, started, stream, ping, UpgradeNames.NONE, "");
    }

    /** Checks every value. */
    public PeerSettings {
        SettingsWriter.checkName(name);
        SettingsWriter.checkRange("capacity", capacity, 0, Integer.MAX_VALUE);
        SettingsWriter.checkRange("max-frame", maxFrame, MIN_MAX_FRAME, Integer.MAX_VALUE);
        SettingsWriter.checkRange("window", window, 0, UNLIMITED);
        if (!instance.isEmpty() && !Names.isName(instance)) {
            throw new IllegalArgumentException("instance cannot be sent: " + Names.ALLOWED);
        }
    }

    /**
     * Returns the first frame of a peer.
     *
     * @return the whole SETTINGS frame, with every setting; {@code upgrade} only when there are
     *     protocols, {@code instance} only when there is a name
     */
    public byte[] encode() {
        var settings =
                new SettingsWriter()
                        .add("name", name)
                        .add("capacity", capacity)
                        .add("max-frame", maxFrame)
                        .add("window", window)
                        .add("started", started)
                        .add("stream", stream)
                        .add("ping", ping);
        // Said only where it says something: servers of 3.0 know nothing of it.
        if (!upgrade.isEmpty()) {
            settings.add("upgrade", upgrade.text());
        }
        if (!instance.isEmpty()) {
            settings.add("instance", instance);
        }
        return settings.frame();
    }

    /**
     * Reads the payload of a peer's SETTINGS frame.
     *
     * @param payload {@code name=value NUL} for each setting; used up
     * @return what is said, with the default for what is not; unknown settings are skipped, of
     *     equal names the last counts, and numbers above {@link Integer#MAX_VALUE} are taken as
     *     that where an {@code int} holds them
     * @throws MalformedFrameException when a known setting has a bad value, or the last NUL is
     *     missing
     */
    public static PeerSettings parse(ByteBuffer payload) throws MalformedFrameException {
        String name = DEFAULT.name;
        int capacity = DEFAULT.capacity;
        int maxFrame = DEFAULT.maxFrame;
        long window = DEFAULT.window;
        boolean started = DEFAULT.started;
        boolean stream = DEFAULT.stream;
        boolean ping = DEFAULT.ping;
        UpgradeNames upgrade = DEFAULT.upgrade;
        String instance = DEFAULT.instance;
        var setting = new SettingsReader(payload);
        while (setting.next()) {
            switch (setting.name()) {
                case "name" -> name = setting.text(MAX_NAME);
                case "capacity" -> capacity = setting.integer(0);
                case "max-frame" -> maxFrame = setting.integer(MIN_MAX_FRAME);
                case "window" -> window = setting.number(0);
                case "started" -> started = setting.flag();
                case "stream" -> stream = setting.flag();
                case "ping" -> ping = setting.flag();
                case "upgrade" -> upgrade = setting.protocols();
                case "instance" -> instance = setting.word();
                default -> {}
            }
        }
        return new PeerSettings(
                name, capacity, maxFrame, window, started, stream, ping, upgrade, instance);
    }
}
