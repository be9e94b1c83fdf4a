package org.lrwp.engine.peer;

/**
 * A process, named by its peer: another identity may use the same name.
 *
 * @param identity whose it is
 * @param name as the peer's settings say
 */
public record PeerInstance(String identity, String name) {
    /**
     * Returns the name of the process at the other end of a connection.
     *
     * @param connection any
     * @return empty when its peer has not said it
     */
    public static String nameOf(PeerConnection connection) {
        return connection.instance() instanceof PeerInstance one ? one.name() : "";
    }
}
