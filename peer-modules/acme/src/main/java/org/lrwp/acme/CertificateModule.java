package org.lrwp.acme;

import org.jspecify.annotations.Nullable;
import org.lrwp.runtime.configuration.BadConfigurationException;
import org.lrwp.runtime.module.Figure;
import org.lrwp.runtime.module.ModuleSetup;
import org.lrwp.runtime.module.PeerModule;
import org.lrwp.sdk.ExchangeHandler;

import java.io.IOException;
import java.nio.file.Path;
import java.security.KeyPair;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Automatic certificates that run. Any thread. */
final class CertificateModule implements PeerModule {
    private static final double DAY = Duration.ofDays(1).toSeconds();

    private final ChallengeHandler handler;
    private final Renewal renewal;
    private final InstantSource clock;

    private CertificateModule(ChallengeHandler handler, Renewal renewal, InstantSource clock) {
        this.handler = handler;
        this.renewal = renewal;
        this.clock = clock;
    }

    static CertificateModule open(ModuleSetup setup) throws BadConfigurationException {
        return open(setup, Timer.ofThread("acme-" + setup.name()), InstantSource.system());
    }

    static CertificateModule open(ModuleSetup setup, Timer timer, InstantSource clock)
            throws BadConfigurationException {
        boolean complete = false;
        try {
            AcmeConfig config = setup.configuration().bind(AcmeConfig::from).get();
            DirectoryTrust trust = trust(config);
            if (!setup.configuration().values().get(AcmeConfig.TERMS)) {
                throw refusal(config, trust);
            }
            HttpAnswers http = new HttpAnswers();
            Renewal renewal = renewal(setup, config, trust, http, timer, clock);
            renewal.start();
            complete = true;
            return new CertificateModule(new ChallengeHandler(http), renewal, clock);
        } finally {
            if (!complete) {
                timer.close();
            }
        }
    }

    private static DirectoryTrust trust(AcmeConfig config) throws BadConfigurationException {
        try {
            return DirectoryTrust.of(config.trust());
        } catch (IOException | RuntimeException e) {
            throw new BadConfigurationException(
                    AcmeConfig.TRUST.name() + " = " + config.trust() + ": " + reason(e));
        }
    }

    private static BadConfigurationException refusal(AcmeConfig config, DirectoryTrust trust) {
        return new BadConfigurationException(
                AcmeConfig.TERMS.name()
                        + " must be true: read the terms of the certification authority, "
                        + AcmeIssuer.terms(config, trust)
                                .map(uri -> OneLine.of(uri.toString()))
                                .orElse("which " + config.directory() + " names")
                        + ", and agree to them");
    }

    private static Renewal renewal(
            ModuleSetup setup,
            AcmeConfig config,
            DirectoryTrust trust,
            HttpAnswers http,
            Timer timer,
            InstantSource clock)
            throws BadConfigurationException {
        Path path = setup.configuration().values().get(AcmeConfig.FOLDER);
        try {
            CertificateFolder folder = CertificateFolder.open(path);
            KeyPair account = folder.account();
            ChallengeAnswers answers =
                    switch (config.challenge()) {
                        case HTTP_01 -> http;
                        case TLS_ALPN_01 -> new TlsAlpnAnswers(folder, clock);
                    };
            Issuer issuer =
                    new AcmeIssuer(config, trust, account, answers, CertificateModule::pass, clock);
            return new Renewal(setup.name(), config, folder, issuer, timer, clock);
        } catch (IOException | RuntimeException e) {
            throw new BadConfigurationException(
                    AcmeConfig.FOLDER.name() + " = " + path + ": " + reason(e));
        }
    }

    /** Nobody counts it down: the time passes, or the module is closed. */
    private static void pass(Duration time) throws InterruptedException {
        var _ = new CountDownLatch(1).await(time.toNanos(), TimeUnit.NANOSECONDS);
    }

    private static String reason(Exception e) {
        return OneLine.of(e.toString());
    }

    @Override
    public ExchangeHandler handler() {
        return handler;
    }

    @Override
    public boolean isPrompt() {
        return true;
    }

    @Override
    public List<Figure> figures() {
        Renewal.Progress now = renewal.progress();
        Instant time = clock.instant();
        return List.of(
                Figure.gauge(
                        "daysLeft",
                        Math.max(0, seconds(time, now.end()) / DAY),
                        "days",
                        "Until the certificate ends; 0 without one."),
                Figure.counter(
                        "issued", now.issued(), "orders", "Orders that brought a certificate."),
                Figure.counter("failed", now.failed(), "orders", "Orders that failed."),
                Figure.gauge(
                        "failuresInARow",
                        now.failures(),
                        "orders",
                        "Orders that failed since the last that did not."),
                Figure.gauge(
                        "lastFailure",
                        Math.max(0, -seconds(time, now.lastFailure())),
                        "s",
                        "Since the last order failed; 0 when none has."),
                Figure.gauge(
                        "nextOrder",
                        Math.max(0, seconds(time, now.next())),
                        "s",
                        "Until the next order."));
    }

    private static double seconds(Instant now, @Nullable Instant then) {
        return then == null ? 0 : Duration.between(now, then).toMillis() / 1000.0;
    }

    @Override
    public void close() {
        renewal.close();
    }
}
