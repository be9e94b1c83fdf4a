package org.lrwp.webapp.client;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.ProxyEngine;
import org.lrwp.engine.cache.FrontRequest;
import org.lrwp.engine.context.ContextMatch;
import org.lrwp.engine.exchange.AnswerHead;
import org.lrwp.engine.exchange.Client;
import org.lrwp.engine.exchange.Exchange;
import org.lrwp.engine.exchange.ExchangeRecord;
import org.lrwp.engine.exchange.ExchangeRequest;
import org.lrwp.engine.exchange.Failure;
import org.lrwp.engine.exchange.RequestTrace;
import org.lrwp.engine.request.BadRequestException;
import org.lrwp.engine.request.EnvBlock;
import org.lrwp.engine.request.EnvConfig;
import org.lrwp.engine.request.RequestHead;
import org.lrwp.engine.request.ScriptPath;
import org.lrwp.engine.spool.Spool;
import org.lrwp.http1.HttpHead;
import org.lrwp.http1.KnownField;
import org.lrwp.http1.KnownMethod;
import org.lrwp.protocol.HeaderField;
import org.lrwp.protocol.UpgradeNames;
import org.lrwp.webapp.config.FieldChanges;

import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A request whose context is known. It touches nothing of the container, so that it can be used
 * when the container's request has gone. Any thread.
 */
final class MatchedRequest implements FrontRequest {
    /** Who asks, in the log, when the cache itself does. */
    private static final String CACHE = "cache";

    private final ProxyEngine engine;
    private final ContextMatch match;
    private final RequestHead head;
    private final CheckedRequest checked;
    private final EnvConfig env;
    private final ActiveRequest client;
    private final UpgradeNames upgrades;
    private final FieldChanges changes;
    private final String way;
    private volatile @Nullable Exchange opened;
    private volatile @Nullable ExchangeRecord fetched;
    private volatile boolean answered;
    private String sticky = "";

    MatchedRequest(
            ProxyEngine engine,
            ContextMatch match,
            CheckedRequest checked,
            ActiveRequest client,
            ClientStream stream,
            EnvConfig env,
            FieldChanges changes) {
        this.engine = engine;
        this.match = match;
        this.checked = checked;
        this.head = checked.head();
        this.client = client;
        this.upgrades = stream.upgrades() ? offered(head) : UpgradeNames.NONE;
        this.env = env;
        this.changes = changes;
        this.way = stream.way();
    }

    /** The protocols that a client may go over to: docs/protocol.md section 15.12. */
    private static UpgradeNames offered(RequestHead head) {
        HttpHead bytes = head.bytes();
        if (bytes.find(KnownField.UPGRADE) < 0
                || bytes.method() != KnownMethod.GET
                || bytes.minorVersion() == 0
                || head.bodyLength() != 0) {
            return UpgradeNames.NONE;
        }
        for (String value : head.values("Connection")) {
            for (String option : value.split(",", -1)) {
                if (option.strip().equalsIgnoreCase("upgrade")) {
                    return UpgradeNames.offered(head.values("Upgrade"));
                }
            }
        }
        return UpgradeNames.NONE;
    }

    /** Asks for the process that has this tag, while it is there. Before it is opened. */
    void comesBackTo(String tag) {
        sticky = tag;
    }

    /** Whether it may become a tunnel, so that nothing can answer it in the place of a peer. */
    boolean offersUpgrade() {
        return !upgrades.isEmpty();
    }

    /** Opens the exchange of this request. */
    Exchange open(Client to) {
        return engine.open(match, asked(head, client(), client.trace()), to);
    }

    private ExchangeRequest asked(RequestHead sent, String who, RequestTrace trace) {
        RequestHead told = changes.isEmpty() ? sent : with(changes.applyTo(sent.fields()));
        boolean extension = match.assistant().contextName().startsWith(".");
        var path = new ScriptPath(checked.root(), match.path(), match.cut(), extension);
        String id = checked.id();
        var block = new EnvBlock(env, told, path, id, trace);
        return new ExchangeRequest(
                id, sent.method(), sent.target(), who, block, upgrades, way, sticky);
    }

    /** The line in the log of this request when its front has answered it. */
    ExchangeRecord line(ExchangeRecord own) {
        return own.by(match.assistant().contextName(), fetched);
    }

    /** The exchange that {@link #pass} has opened; null when it has not. */
    @Nullable Exchange opened() {
        return opened;
    }

    @Override
    public String owner() {
        return match.assistant().owner();
    }

    @Override
    public RequestHead head() {
        return head;
    }

    @Override
    public String client() {
        return head.connection().remoteText();
    }

    @Override
    public void pass(UnaryOperator<Client> changed) {
        client.attach(
                () ->
                        opened =
                                engine.openPassed(
                                        match,
                                        asked(head, client(), client.trace()),
                                        changed.apply(client)));
    }

    /** One that begins when this request is answered already has a line in the log of its own. */
    @Override
    public Fetching fetch(List<HeaderField> fields, Client to) {
        RequestTrace own = client.trace();
        RequestTrace trace = answered && !own.parent().isEmpty() ? new SilentTrace(own) : own;
        ExchangeRequest asked = asked(with(fields), CACHE, trace);
        Exchange exchange =
                answered
                        ? engine.open(match, asked, to)
                        : engine.open(match, asked, to, ended -> fetched = ended);
        exchange.body().whole();
        return whole -> {
            if (whole) {
                exchange.delivered();
            } else {
                exchange.clientGone(Failure.CLIENT_GONE);
            }
        };
    }

    private RequestHead with(List<HeaderField> fields) {
        try {
            return head.with(fields);
        } catch (BadRequestException e) {
            throw new GrownHeadException(e);
        }
    }

    @Override
    public void answer(AnswerHead answer, Spool body, String word) {
        answered = true;
        client.answerAlone(answer, body, word);
    }

    @Override
    public void fail(Failure failure) {
        client.fail(failure);
    }
}
