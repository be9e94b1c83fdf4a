package org.lrwp.acme;

import org.shredzone.acme4j.AccountBuilder;
import org.shredzone.acme4j.Authorization;
import org.shredzone.acme4j.Login;
import org.shredzone.acme4j.Order;
import org.shredzone.acme4j.Problem;
import org.shredzone.acme4j.Session;
import org.shredzone.acme4j.Status;
import org.shredzone.acme4j.challenge.Challenge;
import org.shredzone.acme4j.exception.AcmeException;
import org.shredzone.acme4j.exception.AcmeRateLimitedException;
import org.shredzone.acme4j.exception.AcmeServerException;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.security.KeyPair;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Orders certificates by ACME: RFC 8555 section 7.4. The account is made with the first order; with
 * later ones the directory finds it again by its key.
 */
final class AcmeIssuer implements Issuer {
    private static final System.Logger LOG = System.getLogger(AcmeIssuer.class.getName());

    private final AcmeConfig config;
    private final DirectoryTrust trust;
    private final KeyPair account;
    private final ChallengeAnswers answers;
    private final Pause pause;
    private final InstantSource clock;

    /** Lets time pass on the thread that orders. */
    @FunctionalInterface
    interface Pause {
        void pass(Duration time) throws InterruptedException;
    }

    /** A challenge whose answer is shown. */
    private record Shown(String name, Authorization authorization, Challenge challenge) {}

    AcmeIssuer(
            AcmeConfig config,
            DirectoryTrust trust,
            KeyPair account,
            ChallengeAnswers answers,
            Pause pause,
            InstantSource clock) {
        this.config = config;
        this.trust = trust;
        this.account = account;
        this.answers = answers;
        this.pause = pause;
        this.clock = clock;
    }

    /** Where the terms of a certification authority are, as far as it says; blocks. */
    static Optional<URI> terms(AcmeConfig config, DirectoryTrust trust) {
        try {
            return session(config, trust).getMetadata().getTermsOfService();
        } catch (AcmeException | RuntimeException e) {
            LOG.log(Level.DEBUG, "terms-unknown directory=" + config.directory(), e);
            return Optional.empty();
        }
    }

    private static Session session(AcmeConfig config, DirectoryTrust trust) {
        Session session = new Session(config.directory(), trust);
        session.networkSettings().setTimeout(config.times().request());
        return session;
    }

    @Override
    public CertifiedKey issue() throws IOException, InterruptedException {
        OrderTime time = new OrderTime(config, clock);
        try {
            // A new session reads the directory again: its URLs may have changed in the meantime.
            AccountBuilder builder =
                    new AccountBuilder().useKeyPair(account).agreeToTermsOfService();
            config.contacts().forEach(builder::addEmail);
            return issue(builder.createLogin(session(config, trust)), time);
        } catch (AcmeRateLimitedException e) {
            Duration wait =
                    e.getRetryAfter()
                            .map(until -> Duration.between(clock.instant(), until))
                            .orElse(Duration.ZERO);
            throw new RefusedException(reason(e), wait, e);
        } catch (AcmeException | RuntimeException e) {
            throw new RefusedException(reason(e), Duration.ZERO, e);
        }
    }

    private CertifiedKey issue(Login login, OrderTime time)
            throws AcmeException, IOException, InterruptedException {
        Order order = login.newOrder().domains(config.names()).create();
        prove(order, time);
        requireGood(order, order.waitUntilReady(time.left()));
        KeyPair keys = CertifiedKey.newKeys();
        order.execute(keys);
        requireGood(order, order.waitForCompletion(time.left()));
        return new CertifiedKey(keys.getPrivate(), order.getCertificate().getCertificateChain());
    }

    private static void requireGood(Order order, Status status) throws AcmeException {
        if (status == Status.INVALID) {
            throw new AcmeException(
                    "the order is invalid" + order.getError().map(AcmeIssuer::text).orElse(""));
        }
    }

    private void prove(Order order, OrderTime time)
            throws AcmeException, IOException, InterruptedException {
        List<Shown> shown = new ArrayList<>();
        try {
            for (Authorization authorization : order.getAuthorizations()) {
                if (authorization.getStatus() != Status.VALID) {
                    shown.add(show(authorization));
                }
            }
            if (!shown.isEmpty()) {
                pause.pass(config.times().challenge());
            }
            for (Shown one : shown) {
                one.challenge().trigger();
            }
            for (Shown one : shown) {
                await(one, time);
            }
        } finally {
            shown.forEach(this::remove);
        }
    }

    private Shown show(Authorization authorization) throws AcmeException, IOException {
        String name = authorization.getIdentifier().getDomain();
        if (!config.names().contains(name)) {
            // It would become the name of a file.
            throw new AcmeException("the directory asks for a name that was not ordered");
        }
        Challenge challenge =
                authorization
                        .findChallenge(answers.type())
                        .orElseThrow(
                                () ->
                                        new AcmeException(
                                                name
                                                        + ": the directory does not offer "
                                                        + answers.type()));
        answers.show(name, challenge);
        return new Shown(name, authorization, challenge);
    }

    private static void await(Shown one, OrderTime time)
            throws AcmeException, InterruptedException {
        if (one.authorization().waitForCompletion(time.left()) != Status.VALID) {
            String why =
                    one.authorization()
                            .findChallenge(one.challenge().getType())
                            .flatMap(Challenge::getError)
                            .map(AcmeIssuer::text)
                            .orElse("");
            throw new AcmeException(one.name() + " was not proved" + why);
        }
    }

    private void remove(Shown one) {
        try {
            answers.remove(one.name(), one.challenge());
        } catch (IOException e) {
            LOG.log(Level.WARNING, "challenge-not-removed name=" + one.name(), e);
        }
    }

    private static String text(Problem problem) {
        return ": " + problem.getType() + ": " + problem.getDetail().orElse("no details");
    }

    private static String reason(Exception e) {
        if (e instanceof AcmeServerException server) {
            return "refused" + text(server.getProblem());
        }
        Throwable cause = e.getCause();
        String own = e.getMessage() == null ? e.toString() : e.getMessage();
        return cause == null ? own : own + ": " + cause;
    }
}
