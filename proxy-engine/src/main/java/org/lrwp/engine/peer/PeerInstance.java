package org.lrwp.engine.peer;

/**
 * A process, named by its peer: another identity may use the same name.
 *
 * @param identity whose it is
 * @param name as the peer's settings say
 */
public record PeerInstance(String identity, String name) {}
