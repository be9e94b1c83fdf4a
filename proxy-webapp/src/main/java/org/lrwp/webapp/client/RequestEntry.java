package org.lrwp.webapp.client;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.ProxyEngine;
import org.lrwp.engine.cache.Front;
import org.lrwp.engine.context.ContextAssistant;
import org.lrwp.engine.context.ContextMatch;
import org.lrwp.engine.context.Pause;
import org.lrwp.engine.exchange.Exchange;
import org.lrwp.engine.exchange.ExchangeRecord;
import org.lrwp.engine.exchange.Failure;
import org.lrwp.engine.exchange.RequestTrace;
import org.lrwp.engine.request.BadRequestException;
import org.lrwp.engine.request.EnvConfig;
import org.lrwp.engine.request.RequestHead;
import org.lrwp.engine.request.RequestIds;
import org.lrwp.webapp.config.CompressionRules;
import org.lrwp.webapp.config.TrafficConfig;
import org.lrwp.webapp.config.TrafficRules;
import org.lrwp.webapp.inspector.Inspection;
import org.lrwp.webapp.traffic.ClientShares;
import org.lrwp.webapp.traffic.Compression;
import org.lrwp.webapp.traffic.StickyCookie;

import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.util.function.UnaryOperator;

/**
 * Where requests enter the engine, whoever has read them: each is given to its context, or refused.
 * Any thread; never blocks.
 */
public final class RequestEntry {
    private static final System.Logger LOG = System.getLogger(RequestEntry.class.getName());

    private static final int LENGTH_REQUIRED = 411;

    private final ProxyEngine engine;
    private final ClientSettings settings;
    private final RequestIds ids;

    /**
     * Creates an entry.
     *
     * @param engine where exchanges are opened
     * @param settings what all clients share
     * @param ids makes request ids
     */
    public RequestEntry(ProxyEngine engine, ClientSettings settings, RequestIds ids) {
        this.engine = engine;
        this.settings = settings;
        this.ids = ids;
    }

    /**
     * Gives a request its id.
     *
     * @param head its checked head
     * @param root the application's context root; empty for {@code /}
     * @param path its path below the context root
     * @return the same with its id
     */
    public CheckedRequest identified(RequestHead head, String root, String path) {
        String id = ids.idOf(head, settings.config().env().trusts(head));
        return new CheckedRequest(head, root, path, id);
    }

    /**
     * Opens the exchange of a request. The thread that has read it calls this, last.
     *
     * @param request the request
     * @param match its context
     * @param stream its client
     */
    public void open(CheckedRequest request, ContextMatch match, ClientStream stream) {
        Pause pause = match.assistant().pause();
        if (pause != null) {
            refusePaused(request, match.assistant(), pause, stream);
            return;
        }
        TrafficConfig traffic = settings.config().traffic();
        String context = match.assistant().contextName();
        TrafficRules rules = traffic.of(context);
        if (!rules.limit().isSet()) {
            open(request, match, rules, stream, null);
            return;
        }
        switch (settings.shares()
                .enter(context, rules.limit(), traffic.clients(), request.head())) {
            case ClientShares.Passed(Runnable whenOver) ->
                    open(request, match, rules, stream, whenOver);
            case ClientShares.Refused(int seconds) -> {
                ActiveRequest refused = active(request, stream);
                refused.errorPages(rules.errors());
                refused.frontedBy(line(match.assistant()));
                refuse(refused, ErrorAnswer.rateLimited(seconds));
            }
        }
    }

    private void open(
            CheckedRequest request,
            ContextMatch match,
            TrafficRules rules,
            ClientStream stream,
            @Nullable Runnable whenOver) {
        InetAddress address = request.head().connection().remoteAddress();
        AddressCounts.Entry place = settings.requests().enter(address);
        ActiveRequest active = active(request, stream);
        if (whenOver != null) {
            active.whenComplete(whenOver);
        }
        active.errorPages(rules.errors());
        if (place == AddressCounts.Entry.REFUSED) {
            active.frontedBy(line(match.assistant()));
            refuse(active, ErrorAnswer.of(Failure.TOO_MANY_EXCHANGES));
            return;
        }
        if (place == AddressCounts.Entry.COUNTED) {
            active.whenComplete(() -> settings.requests().leave(address));
        }
        active.answerFields(rules.answer());
        if (rules.compression().isOn()) {
            active.compressedBy(compression(rules.compression(), request.head()));
        }
        StickyCookie cookie = null;
        if (rules.sticky().isOn()) {
            cookie =
                    StickyCookie.of(
                            rules.sticky(), match.assistant(), request.root(), request.head());
            active.comesBackBy(cookie);
        }
        if (rules.inspect().isOn()) {
            inspect(active, request, match);
        }
        EnvConfig env = settings.config().env();
        var matched =
                new MatchedRequest(engine, match, request, active, stream, env, rules.request());
        if (cookie != null) {
            matched.comesBackTo(cookie.shown());
        }
        Exchange opened;
        try {
            opened = opened(matched, active, engine.front(match));
        } catch (GrownHeadException e) {
            refuse(active, ErrorAnswer.of(Failure.HEAD_TOO_LARGE));
            return;
        } catch (RuntimeException e) {
            // Whatever it is: the client is told, and the request gives back what it counts in.
            LOG.log(Level.ERROR, "request-not-opened id=" + request.id(), e);
            refuse(active, ErrorAnswer.of(Failure.INTERNAL));
            return;
        }
        active.start(opened);
    }

    /** Gives it to its context, or to what answers before that; null when it has no exchange. */
    private static @Nullable Exchange opened(
            MatchedRequest request, ActiveRequest active, @Nullable Front front) {
        if (front == null || request.offersUpgrade()) {
            return request.open(active);
        }
        active.frontedBy(request::line);
        front.take(request);
        return request.opened();
    }

    private void inspect(ActiveRequest active, CheckedRequest request, ContextMatch match) {
        String context = match.assistant().contextName();
        var origin =
                new Inspection.Origin(request.id(), context, request.root(), request.path(), "");
        Inspection one = settings.inspector().begin(origin, request.head());
        if (one != null) {
            active.inspectedBy(one);
        }
    }

    private Compression compression(CompressionRules rules, RequestHead head) {
        return new Compression(
                rules,
                String.join(",", head.values("Accept-Encoding")),
                String.join(",", head.values("If-None-Match")),
                settings.compressors(),
                settings.config().traffic().streams());
    }

    /**
     * Answers a request for one of the proxy's own pages. The thread that has read it calls this,
     * last.
     *
     * @param request the request
     * @param pages asked when its body has come
     * @param stream its client
     */
    public void show(CheckedRequest request, OwnPages pages, ClientStream stream) {
        long length = request.head().bodyLength();
        if (length < 0) {
            refuse(request, ErrorAnswer.of(LENGTH_REQUIRED), stream);
        } else if (length > OwnPages.MOST_BODY) {
            refuse(request, ErrorAnswer.of(Failure.BODY_TOO_LARGE), stream);
        } else {
            new OwnRequest(request, stream, pages, settings).start();
        }
    }

    /**
     * Answers a request for one of the proxy's own pages whose answer is known, and takes its time.
     *
     * @param request the request, which has no body
     * @param answer what the pages have said
     * @param stream its client
     */
    public void show(CheckedRequest request, OwnPages.Answer answer, ClientStream stream) {
        new OwnRequest(request, stream, question -> answer, settings).start();
    }

    /**
     * Answers a request with an error.
     *
     * @param request the request
     * @param error the answer
     * @param stream its client
     */
    public void refuse(CheckedRequest request, ErrorAnswer error, ClientStream stream) {
        refuse(active(request, stream), error);
    }

    private static void refuse(ActiveRequest active, ErrorAnswer error) {
        active.fail(error, error.isFarewell());
        active.start(null);
    }

    /** It counts as one of its context. */
    private void refusePaused(
            CheckedRequest request, ContextAssistant context, Pause pause, ClientStream stream) {
        ActiveRequest active = active(request, stream);
        active.errorPages(settings.config().traffic().of(context.contextName()).errors());
        active.frontedBy(line(context));
        active.fail(ErrorAnswer.of(pause), false);
        active.start(null);
    }

    /** Names a context in the line of a request that it has refused, and counts it there. */
    private static UnaryOperator<ExchangeRecord> line(ContextAssistant context) {
        return own -> {
            ExchangeRecord line = own.by(context.contextName(), null);
            context.ended(line);
            return line;
        };
    }

    /**
     * Refuses a request that breaks a rule: nothing of it is believed, and its connection ends with
     * the answer.
     *
     * @param why the rule
     * @param begin what it began with
     * @param stream its client
     */
    public void refuse(BadRequestException why, BrokenRequest begin, ClientStream stream) {
        String id = ids.next();
        LOG.log(
                Level.INFO,
                "bad-request id={0} client={1} status={2} reason=\"{3}\"",
                id,
                begin.client(),
                why.status(),
                begin.isOfPeer() ? ofPeer() : why.getMessage());
        var line = RequestLine.of(begin, id, stream.way(), settings.clock().nanos());
        var active = new ActiveRequest(stream, line, settings);
        active.fail(begin.isOfPeer() ? ErrorAnswer.ofPeer() : ErrorAnswer.of(why), true);
        active.start(null);
    }

    /** The port is for the log alone: whoever can send a byte need not know it. */
    private String ofPeer() {
        return "it looks like an LRWP peer, this is the HTTP port: peers dial in at port "
                + engine.agentAddress().getPort();
    }

    private ActiveRequest active(CheckedRequest request, ClientStream stream) {
        long now = settings.clock().nanos();
        boolean last = LastAnswer.isEnding(request.head(), stream.upgrades());
        RequestTrace trace = settings.follower().follow(request.head());
        var line = RequestLine.of(request, stream.way(), last, trace, now);
        return new ActiveRequest(stream, line, settings);
    }
}
