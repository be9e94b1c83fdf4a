package org.lrwp.osp.token;

import org.lrwp.osp.message.Party;

import java.time.Instant;
import java.util.Optional;

/**
 * What a token allows: one call, to one number, for a time.
 *
 * @param caller who calls; empty when nobody said
 * @param called who is called
 * @param callId the call's id in base64
 * @param validAfter the token counts from here on
 * @param validUntil the token counts up to here
 * @param transaction the transaction's id, a decimal number
 * @param seconds how long the call may last, 0 or more
 */
public record TokenTerms(
        Optional<Party> caller,
        Party called,
        String callId,
        Instant validAfter,
        Instant validUntil,
        String transaction,
        int seconds) {
    /**
     * Returns the end of the call, if it begins as late as the token allows.
     *
     * @return the time after which nobody may speak by this token
     */
    public Instant over() {
        return validUntil.plusSeconds(seconds);
    }
}
