package org.lrwp.engine.identity;

import org.lrwp.protocol.ProtocolVersion;
import org.lrwp.protocol.Registration;

/** The oldest version of LRWP that peers may speak. */
public enum LeastVersion {
    /** Every version. */
    LRWP_1_0,
    /** LRWP 2 and newer. */
    LRWP_2_0,
    /** LRWP 3 and newer. */
    LRWP_3_0,
    /** Only those that say who they are. */
    LRWP_3_1;

    /**
     * Says whether a startup string is new enough.
     *
     * @param registration what it asks for
     * @return whether its version is permitted
     */
    public boolean permits(Registration registration) {
        LeastVersion spoken = registration.claim() != null ? LRWP_3_1 : of(registration.version());
        return spoken.compareTo(this) >= 0;
    }

    private static LeastVersion of(ProtocolVersion version) {
        return switch (version) {
            case LRWP_1 -> LRWP_1_0;
            case LRWP_2 -> LRWP_2_0;
            case LRWP_3 -> LRWP_3_0;
        };
    }
}
