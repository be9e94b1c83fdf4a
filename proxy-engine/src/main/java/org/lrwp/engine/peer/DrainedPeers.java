package org.lrwp.engine.peer;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * The peers that get no new requests until an operator says otherwise, by their names. A name means
 * all connections of an identity, of a process, or the one connection that has it, those that come
 * later included. Thread-safe.
 */
public final class DrainedPeers {
    /** More names would be a mistake. */
    public static final int MOST = 1000;

    private final Set<String> names = ConcurrentHashMap.newKeySet();

    /** Creates an empty list. */
    public DrainedPeers() {}

    /**
     * Adds a name.
     *
     * @param name of an identity, a process or a connection
     * @return false when it is empty, or there are too many
     */
    public boolean add(String name) {
        boolean room = !name.isEmpty() && names.size() < MOST;
        return names.contains(name) || (room && names.add(name));
    }

    /**
     * Removes a name.
     *
     * @param name that was added
     * @return false when it was not there
     */
    public boolean remove(String name) {
        return names.remove(name);
    }

    /**
     * Says whether a connection gets no new requests.
     *
     * @param connection any
     * @return whether one of the names means it
     */
    public boolean holds(PeerConnection connection) {
        return !names.isEmpty() && namesOf(connection).anyMatch(names::contains);
    }

    /**
     * Says whether a name means a connection.
     *
     * @param name of an identity, a process or a connection
     * @param connection any
     * @return whether it does
     */
    public static boolean isNamed(String name, PeerConnection connection) {
        return namesOf(connection).anyMatch(name::equals);
    }

    private static Stream<String> namesOf(PeerConnection connection) {
        return Stream.of(
                connection.peerName(), connection.identity(), PeerInstance.nameOf(connection));
    }

    /**
     * Returns all names.
     *
     * @return sorted
     */
    public List<String> names() {
        return names.stream().sorted().toList();
    }
}
