package org.lrwp.osp.token;

import java.util.concurrent.atomic.AtomicReference;

/** The present {@link KeyRing}. Any thread may read it; a rotation replaces it whole. */
public final class Keys {
    private final AtomicReference<KeyRing> ring;

    /**
     * Creates a holder.
     *
     * @param first the ring to begin with
     */
    public Keys(KeyRing first) {
        ring = new AtomicReference<>(first);
    }

    /**
     * Returns the ring that counts now.
     *
     * @return the ring
     */
    public KeyRing ring() {
        return ring.get();
    }

    /**
     * Lets another key sign. The former ones still verify.
     *
     * @param next whom new tokens come from
     * @return whether that is another certificate than before
     */
    public boolean rotate(SigningIdentity next) {
        KeyRing before = ring.getAndUpdate(now -> now.rotatedTo(next));
        return !before.signer().certificate().equals(next.certificate());
    }
}
