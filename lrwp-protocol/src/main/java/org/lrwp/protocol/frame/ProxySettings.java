package org.lrwp.protocol.frame;

import org.lrwp.protocol.MalformedFrameException;

import java.nio.ByteBuffer;

/**
 * What a proxy says about itself in its first frame: docs/protocol.md section 14.
 *
 * @param name what the proxy calls itself, for the log; one byte per character, no NUL, at most
 *     {@link PeerSettings#MAX_NAME}
 * @param maxFrame most bytes of a payload that the proxy takes, at least {@link
 *     PeerSettings#MIN_MAX_FRAME}
 * @param window bytes of body that the proxy takes on each stream before it grants more, 0 to
 *     {@link PeerSettings#UNLIMITED}, which means that nothing is counted
 * @param pingSeconds seconds without a byte after which the proxy pings, 0 for never
 * @param connections how many connections from one peer serve the proxy best, at least 1
 */
public record ProxySettings(
        String name, int maxFrame, long window, int pingSeconds, int connections) {
    /** What a proxy says that sends an empty SETTINGS frame. */
    public static final ProxySettings DEFAULT =
            new ProxySettings("", PeerSettings.MIN_MAX_FRAME, PeerSettings.DEFAULT_WINDOW, 10, 1);

    /** Checks every value. */
    public ProxySettings {
        SettingsWriter.checkName(name);
        SettingsWriter.checkRange(
                "max-frame", maxFrame, PeerSettings.MIN_MAX_FRAME, Integer.MAX_VALUE);
        SettingsWriter.checkRange("window", window, 0, PeerSettings.UNLIMITED);
        SettingsWriter.checkRange("ping", pingSeconds, 0, Integer.MAX_VALUE);
        SettingsWriter.checkRange("connections", connections, 1, Integer.MAX_VALUE);
    }

    /**
     * Returns the same with another number of connections.
     *
     * @param count connections from one peer, at least 1
     * @return the other settings
     */
    public ProxySettings withConnections(int count) {
        return new ProxySettings(name, maxFrame, window, pingSeconds, count);
    }

    /**
     * Returns the first frame of a proxy.
     *
     * @return the whole SETTINGS frame, with every setting
     */
    public byte[] encode() {
        return new SettingsWriter()
                .add("name", name)
                .add("max-frame", maxFrame)
                .add("window", window)
                .add("ping", pingSeconds)
                .add("connections", connections)
                .frame();
    }

    /**
     * Reads the payload of a proxy's SETTINGS frame.
     *
     * @param payload {@code name=value NUL} for each setting; used up
     * @return what is said, with the default for what is not; unknown settings are skipped, of
     *     equal names the last counts, and numbers above {@link Integer#MAX_VALUE} are taken as
     *     that where an {@code int} holds them
     * @throws MalformedFrameException when a known setting has a bad value, or the last NUL is
     *     missing
     */
    public static ProxySettings parse(ByteBuffer payload) throws MalformedFrameException {
        String name = DEFAULT.name;
        int maxFrame = DEFAULT.maxFrame;
        long window = DEFAULT.window;
        int pingSeconds = DEFAULT.pingSeconds;
        int connections = DEFAULT.connections;
        var setting = new SettingsReader(payload);
        while (setting.next()) {
            switch (setting.name()) {
                case "name" -> name = setting.text(PeerSettings.MAX_NAME);
                case "max-frame" -> maxFrame = setting.integer(PeerSettings.MIN_MAX_FRAME);
                case "window" -> window = setting.number(0);
                case "ping" -> pingSeconds = setting.integer(0);
                case "connections" -> connections = setting.integer(1);
                default -> {}
            }
        }
        return new ProxySettings(name, maxFrame, window, pingSeconds, connections);
    }
}
