package org.lrwp.webapp.container;

import java.util.ArrayList;
import java.util.List;

/**
 * Lets peers in between the clients of one round of a selector thread: what they have answered is
 * read without waiting for the selector to tell, and what has been read for them is sent. Only on
 * that thread.
 *
 * <p>Purpose: a round that reads hundreds of clients before it looks at any peer keeps as many
 * requests under way in the container, more than the processor's caches hold, while the peers have
 * nothing to do.
 */
final class PeerTurns {
    /** A peer to which bytes have gone. On the thread of the turns. */
    interface Peer {
        /** Reads its answer, when it is there. */
        void look();

        /** Its answer is awaited no more, until bytes have gone to it again. */
        void forget();
    }

    /** Clients from turn to turn: more keep the peers waiting, fewer make batches small. */
    static final int CLIENTS = 32;

    private final Runnable sending;
    private List<Peer> written = new ArrayList<>();
    private List<Peer> due = new ArrayList<>();
    private int clients;

    /**
     * Creates the turns of a thread.
     *
     * @param sending sends what there is for peers
     */
    PeerTurns(Runnable sending) {
        this.sending = sending;
    }

    /** The selector is about to look at all connections. */
    void newRound() {
        clients = 0;
        written.forEach(Peer::forget);
        written.clear();
    }

    /** Bytes have gone to a peer; in the next turn its answer may be there. */
    void written(Peer peer) {
        written.add(peer);
    }

    /** A client has been read. */
    void clientRead() {
        clients++;
        if (clients < CLIENTS) {
            return;
        }
        clients = 0;
        List<Peer> asked = written;
        written = due;
        due = asked;
        // Each only once: a slow peer must not cost a look in vain in every turn.
        asked.forEach(Peer::look);
        asked.clear();
        sending.run();
    }
}
