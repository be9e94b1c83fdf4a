package org.lrwp.events.access;

import org.lrwp.runtime.caller.Caller;
import org.lrwp.runtime.caller.HostNames;
import org.lrwp.sdk.RequestHead;

import java.net.InetAddress;
import java.util.Set;
import java.util.regex.Pattern;

/** Who may do what, as it is set now. Immutable. */
public final class Access {
    private static final Pattern SECONDS = Pattern.compile("[0-9]{1,12}");

    private final Set<Rule> publish;
    private final Set<Rule> subscribe;
    private final byte[] secret;
    private final byte[] signingKey;
    private final HostNames loopbackHosts;

    /**
     * Copies and checks.
     *
     * @param publish ways to be allowed to publish
     * @param subscribe ways to be allowed to subscribe
     * @param secret the shared secret; empty for none, which nobody can show
     * @param signingKey the key of signed URLs; empty for none
     * @param loopbackHosts what {@code Host} may say for {@link Rule#LOOPBACK}
     * @throws IllegalArgumentException when a rule has not what it needs
     */
    public Access(
            Set<Rule> publish,
            Set<Rule> subscribe,
            byte[] secret,
            byte[] signingKey,
            HostNames loopbackHosts) {
        this.publish = Set.copyOf(publish);
        this.subscribe = Set.copyOf(subscribe);
        this.secret = secret.clone();
        this.signingKey = signingKey.clone();
        this.loopbackHosts = loopbackHosts;
        boolean signed = publish.contains(Rule.SIGNED) || subscribe.contains(Rule.SIGNED);
        if (signed && signingKey.length == 0) {
            throw new IllegalArgumentException("signed URLs need a signing-key-file");
        }
        if (subscribe.contains(Rule.SECRET) && secret.length == 0) {
            throw new IllegalArgumentException(
                    "subscribe-access = secret needs a shared-secret-file");
        }
    }

    /**
     * Says whether another server may have to be asked.
     *
     * @return whether a rule says so
     */
    public boolean asks() {
        return publish.contains(Rule.ASK) || subscribe.contains(Rule.ASK);
    }

    /** What is said to somebody. */
    public enum Verdict {
        /** Go on. */
        ALLOWED,
        /** Not without a secret. */
        UNKNOWN,
        /** No. */
        REFUSED,
        /** Another server knows. */
        ASK
    }

    /**
     * What somebody wants.
     *
     * @param action what
     * @param channels the channels as the path names them
     * @param expires the parameter {@code expires}; empty for none
     * @param signature the parameter {@code signature}; empty for none
     * @param wallSeconds the time now, in seconds since 1970
     */
    public record Wish(
            Action action, String channels, String expires, String signature, long wallSeconds) {}

    /**
     * Judges without asking anybody.
     *
     * @param head the request
     * @param wish what it wants
     * @return whether it may; at once
     */
    public Verdict judge(RequestHead head, Wish wish) {
        Set<Rule> rules = wish.action() == Action.PUBLISH ? publish : subscribe;
        if (rules.contains(Rule.ANYONE)
                || (rules.contains(Rule.LOOPBACK) && isFromHere(head))
                || (rules.contains(Rule.SECRET) && Caller.shows(head, secret))
                || (rules.contains(Rule.SIGNED) && isSigned(wish))) {
            return Verdict.ALLOWED;
        }
        if (rules.contains(Rule.ASK)) {
            return Verdict.ASK;
        }
        boolean mayShow = rules.contains(Rule.SECRET) && secret.length > 0;
        return mayShow && head.header("Authorization") == null ? Verdict.UNKNOWN : Verdict.REFUSED;
    }

    private boolean isFromHere(RequestHead head) {
        InetAddress address = Caller.address(head);
        return address != null
                && address.isLoopbackAddress()
                && loopbackHosts.include(head.header("Host"));
    }

    private boolean isSigned(Wish wish) {
        if (!SECONDS.matcher(wish.expires()).matches()) {
            return false;
        }
        long expires = Long.parseLong(wish.expires());
        return wish.wallSeconds() <= expires
                && SignedUrl.isSigned(
                        signingKey, wish.action(), wish.channels(), expires, wish.signature());
    }
}
