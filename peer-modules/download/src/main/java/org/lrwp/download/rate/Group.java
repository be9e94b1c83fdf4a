package org.lrwp.download.rate;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Map;

/**
 * What shares a bucket: all, a class, or a client. Its ready members stand in a ring, in the order
 * of what they have had for their weights, and the first is served (start-time fair queueing).
 * Nobody saves up: who has been away counts as having had what the last one had.
 *
 * <p>Downloads that have had nothing yet stand in a ring of their own and go first, with a small
 * turn, so that the first bytes come soon however many others the client has. A new group has no
 * such right, or a client that comes and goes would get more than one that stays.
 *
 * <p>Made and changed by {@link RateTree} alone; others hold it as a name.
 */
public final class Group extends Node {
    /** Below this much a group waits instead of sending crumbs. */
    private static final long CRUMB = 512;

    /** So many new ones are served before one that is not. */
    private static final int MOST_NEW_IN_A_ROW = 3;

    private final String name;
    private @Nullable Node first;
    private @Nullable Node firstNew;
    private int newInARow;
    private int ready;
    private long turn = Round.LEAST_TURN;

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
        return ready > 0;
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
     * moment, because the disk or the client took its time, finds the place that it left; a new
     * group stands behind those who have not yet had as much as it is going to get.
     */
    void add(Node member) {
        if (!member.isNew) {
            member.had = Math.max(member.had, clock - turn * Node.SHARE);
            insert(member);
        } else if (member instanceof Flow) {
            insertNew(member);
        } else {
            member.had = clock + Round.LEAST_TURN * Node.SHARE;
            insert(member);
        }
        ready++;
    }

    private void insertNew(Node member) {
        Node head = firstNew;
        if (head == null) {
            firstNew = member;
        } else {
            member.linkBefore(head);
        }
    }

    private void insert(Node member) {
        Node head = first;
        if (head == null) {
            first = member;
        } else if (member.had < head.had) {
            member.linkBefore(head);
            first = member;
        } else {
            member.linkBefore(follower(member.had, head));
        }
    }

    /** Returns who comes after one that has had so much; looks from the nearer end of the ring. */
    private static Node follower(long had, Node head) {
        Node at = head;
        if (had - head.had < head.previous.had - had) {
            do {
                at = at.next;
            } while (at.had <= had);
            return at;
        }
        // The head has not had more, so the way back ends there at the latest.
        while (at.previous.had > had) {
            at = at.previous;
        }
        return at;
    }

    void remove(Node member) {
        take(member);
        ready--;
    }

    private void take(Node member) {
        @Nullable Node after = member.next == member ? null : member.next;
        if (first == member) {
            first = after;
        } else if (firstNew == member) {
            firstNew = after;
        }
        member.unlink();
    }

    /**
     * Returns whose turn it is.
     *
     * @param round what goes round here
     */
    Node turn(Round round) {
        Node old = first;
        Node head = firstNew;
        if (head == null || (old != null && newInARow >= MOST_NEW_IN_A_ROW)) {
            head = old;
        }
        if (head == null) {
            throw new IllegalStateException("nobody is ready in " + name);
        }
        turn = round.turn(ready);
        return head;
    }

    /** Returns what goes round in each member. */
    Round among(Round round) {
        return round.among(ready);
    }

    /** Returns the most that a member may send in its turn: anything when it is alone. */
    long mostOf(Node member) {
        if (ready == 1) {
            return Long.MAX_VALUE;
        }
        return member.isNew ? Round.LEAST_TURN : turn * member.weight;
    }

    /** Counts what a member was given. */
    void charge(Node member, long bytes) {
        boolean standing = member.state == State.READY;
        if (standing) {
            take(member);
        }
        newInARow = member.isNew ? newInARow + 1 : 0;
        clock = Math.max(clock, member.had);
        long share = bytes * Node.SHARE / member.weight;
        // What nobody else wanted is no debt, and who is new has no claims.
        long least = member.isNew ? clock : clock - turn * Node.SHARE;
        member.had = Math.max(member.had, least);
        member.had += ready > 1 ? share : Math.min(share, turn * Node.SHARE);
        member.isNew = false;
        if (standing) {
            insert(member);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
