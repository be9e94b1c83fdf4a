package org.lrwp.download.rate;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Map;

/**
 * What shares a bucket: all, a class, or a client. Its ready members stand in a ring and get turns
 * in proportion to their weights (deficit round robin that settles what a turn was too much).
 *
 * <p>Made and changed by {@link RateTree} alone; others hold it as a name.
 */
public final class Group extends Node {
    /** Below this much a group waits instead of sending crumbs. */
    private static final long CRUMB = 512;

    private final String name;
    private @Nullable Node first;
    private final Map<String, Group> groups = new HashMap<>();
    private int members;

    Group(String name) {
        this.name = name;
    }

    /**
     * Returns what it stands for.
     *
     * @return for logs
     */
    public String name() {
        return name;
    }

    @Override
    long need() {
        return quantum();
    }

    /** Crumbs are not sent, but what is left of a burst is. */
    @Override
    boolean isShort() {
        return available() < Math.min(quantum(), CRUMB);
    }

    @Override
    boolean isActive() {
        return first != null;
    }

    /** The groups in this one, by name. */
    Map<String, Group> groups() {
        return groups;
    }

    void joined() {
        members++;
    }

    void left() {
        members--;
    }

    boolean isEmpty() {
        return members == 0;
    }

    /** Puts a member behind those that are ready. */
    void add(Node member) {
        long turn = TURN * member.weight;
        Node head = first;
        if (head == null) {
            first = member;
            member.deficit = turn;
        } else {
            member.linkBefore(head);
            member.deficit = Math.min(member.deficit, turn);
        }
    }

    void remove(Node member) {
        if (first == member) {
            first = member.next == member ? null : member.next;
        }
        member.unlink();
    }

    /** Returns whose turn it is. */
    Node turn() {
        Node head = first;
        if (head == null) {
            throw new IllegalStateException("nobody is ready in " + name);
        }
        while (head.deficit <= 0) {
            head.deficit += TURN * head.weight;
            head = head.next;
        }
        first = head;
        return head;
    }

    @Override
    public String toString() {
        return name;
    }
}
