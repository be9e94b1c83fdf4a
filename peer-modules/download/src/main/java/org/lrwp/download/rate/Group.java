package org.lrwp.download.rate;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Map;

/**
 * What shares a bucket: all, a class, or a client. Its ready members stand in a ring, in the order
 * of what they have had for their weights, and the first is served (start-time fair queueing).
 * Nobody saves up: who has been away counts as having had what the last one had.
 *
 * <p>Made and changed by {@link RateTree} alone; others hold it as a name.
 */
public final class Group extends Node {
    /** Below this much a group waits instead of sending crumbs. */
    private static final long CRUMB = 512;

    /** Octets of a turn, for weight 1. */
    private static final long LEAST_TURN = 4096;

    private static final long MOST_TURN = 65_536;

    private final String name;
    private @Nullable Node first;
    private int ready;
    private long turn = LEAST_TURN;

    /** What the member that was served last had had before. */
    private long clock;

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

    /**
     * Puts a member where what it has had belongs among those that are ready. Who was away for a
     * moment, because the disk or the client took its time, finds the place that it left; who is
     * new stands at the end.
     */
    void add(Node member) {
        if (member.had == Node.NOTHING_YET) {
            member.had = clock + turn * Node.SHARE;
        }
        member.had = Math.max(member.had, clock - turn * Node.SHARE);
        insert(member);
        ready++;
    }

    private void insert(Node member) {
        Node head = first;
        if (head == null) {
            first = member;
        } else if (member.had < head.had) {
            member.linkBefore(head);
            first = member;
        } else {
            // From the end: only those are passed that were served meanwhile.
            Node before = head.previous;
            while (before != head && before.had > member.had) {
                before = before.previous;
            }
            member.linkBefore(before.next);
        }
    }

    void remove(Node member) {
        take(member);
        ready--;
    }

    private void take(Node member) {
        if (first == member) {
            first = member.next == member ? null : member.next;
        }
        member.unlink();
    }

    /** Returns how much goes round in a burst where this group's bucket is what is short. */
    long burst() {
        Bucket own = bucket;
        return own == null ? Long.MAX_VALUE : own.limit().burstOctets();
    }

    /**
     * Returns whose turn it is. The turns of all who are ready are a burst together, as far as that
     * is sensible: the more there are, the less each gets at a time and the sooner again.
     *
     * @param burst the least burst of the groups down to here
     */
    Node turn(long burst) {
        Node head = first;
        if (head == null) {
            throw new IllegalStateException("nobody is ready in " + name);
        }
        turn = Math.max(LEAST_TURN, Math.min(MOST_TURN, burst / ready));
        return head;
    }

    /** Returns the most that a member may send in its turn: anything when it is alone. */
    long mostOf(Node member) {
        return ready == 1 ? Long.MAX_VALUE : turn * member.weight;
    }

    /** Counts what a member was given. */
    void charge(Node member, long octets) {
        clock = Math.max(clock, member.had);
        long share = octets * Node.SHARE / member.weight;
        // What nobody else wanted is no debt.
        member.had = Math.max(member.had, clock - turn * Node.SHARE);
        member.had += ready > 1 ? share : Math.min(share, turn * Node.SHARE);
        if (member.state == State.READY && ready > 1) {
            take(member);
            insert(member);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
