package org.lrwp.webapp.inspector;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.ProxyEngine;
import org.lrwp.engine.context.ContextMatch;
import org.lrwp.engine.exchange.Exchange;
import org.lrwp.engine.exchange.ExchangeRequest;
import org.lrwp.engine.exchange.RequestTrace;
import org.lrwp.engine.request.BadRequestException;
import org.lrwp.engine.request.EnvBlock;
import org.lrwp.engine.request.RequestHead;
import org.lrwp.engine.request.RequestIds;
import org.lrwp.engine.request.ScriptPath;
import org.lrwp.protocol.HeaderField;
import org.lrwp.protocol.UpgradeNames;
import org.lrwp.webapp.config.FieldChanges;
import org.lrwp.webapp.config.RequestConfig;

import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Sends a request that is kept once more, as its client sent it but for secrets, which are not
 * kept. It goes past response cache, limits of clients and pauses, and its answer to the inspector.
 * Any thread; never blocks, but for the disk under a large body.
 */
public final class Repeats {
    /** What says where the message ends, or is of one connection alone. */
    private static final Set<String> OF_THE_MESSAGE =
            Set.of(
                    "connection",
                    "content-length",
                    "expect",
                    "keep-alive",
                    "te",
                    "trailer",
                    "transfer-encoding",
                    "upgrade");

    private static final String WAY = "repeat";

    private final Inspector inspector;
    private final ProxyEngine engine;
    private final Supplier<RequestConfig> config;
    private final RequestIds ids;

    /**
     * Creates it.
     *
     * @param inspector keeps requests
     * @param engine where they are sent
     * @param config limits of requests, as they are now
     * @param ids makes request ids
     */
    public Repeats(
            Inspector inspector,
            ProxyEngine engine,
            Supplier<RequestConfig> config,
            RequestIds ids) {
        this.inspector = inspector;
        this.engine = engine;
        this.config = config;
        this.ids = ids;
    }

    /**
     * What became of it.
     *
     * @param id of the new request; empty when there is none
     * @param isKnown whether the inspector has the old one
     * @param sentence what was left out, or why there is none
     */
    public record Result(String id, boolean isKnown, String sentence) {
        private static Result not(String sentence) {
            return new Result("", true, sentence);
        }
    }

    /**
     * Repeats a request.
     *
     * @param id of one that is kept
     * @return whether it was sent; its answer is not waited for
     */
    public Result repeat(String id) {
        Inspection kept = inspector.find(id);
        if (kept == null) {
            return new Result("", false, "The inspector has no request " + id + ".");
        } else if (!kept.body().isWhole()) {
            return Result.not("The inspector has not kept all of its body.");
        } else if (kept.isTargetMasked()) {
            return Result.not("A secret in its URL is masked.");
        }
        RequestHead head;
        try {
            head = head(kept);
        } catch (BadRequestException e) {
            return Result.not("It is no request any more: " + e.getMessage());
        }
        ContextMatch match = engine.match(head.authority().virtualHost(), kept.path());
        return match == null
                ? Result.not("Nobody serves it any more.")
                : new Result(send(kept, head, match), true, sentence(kept));
    }

    private static RequestHead head(Inspection kept) throws BadRequestException {
        var draft =
                new RequestHead.Draft(
                        kept.method(), kept.target(), kept.protocol(), kept.connection());
        boolean length = false;
        for (HeaderField field : kept.fields()) {
            String name = field.name().toLowerCase(Locale.ROOT);
            length |= name.equals("content-length");
            if (!OF_THE_MESSAGE.contains(name) && !kept.hides(name)) {
                draft.field(field.name(), field.value());
            }
        }
        if (length || kept.body().length() > 0) {
            draft.field("Content-Length", Long.toString(kept.body().length()));
        }
        return draft.check();
    }

    private String send(Inspection kept, RequestHead head, ContextMatch match) {
        String id = ids.next();
        String context = match.assistant().contextName();
        FieldChanges changes = config.get().traffic().of(context).request();
        var path = new ScriptPath(kept.root(), match.path(), match.cut(), context.startsWith("."));
        var block =
                new EnvBlock(
                        config.get().env(), changed(head, changes), path, id, RequestTrace.NONE);
        var request =
                new ExchangeRequest(
                        id,
                        head.method(),
                        head.target(),
                        kept.client(),
                        block,
                        UpgradeNames.NONE,
                        WAY,
                        "");
        var origin = new Inspection.Origin(id, context, kept.root(), kept.path(), kept.id());
        @Nullable Inspection inspection = inspector.begin(origin, head);
        byte[] body = kept.body().bytes();
        if (inspection != null) {
            inspection.body(ByteBuffer.wrap(body));
        }
        var client = new RepeatClient(inspection);
        Exchange exchange = engine.open(match, request, client);
        client.opened(exchange);
        if (body.length > 0) {
            exchange.body().receive(ByteBuffer.wrap(body));
        }
        exchange.body().whole();
        return id;
    }

    private static RequestHead changed(RequestHead head, FieldChanges changes) {
        try {
            return changes.isEmpty() ? head : head.with(changes.applyTo(head.fields()));
        } catch (BadRequestException e) {
            throw new IllegalStateException("a head that was good is not any more", e);
        }
    }

    private static String sentence(Inspection kept) {
        boolean masked = kept.fields().stream().anyMatch(field -> kept.hides(field.name()));
        return masked ? " Fields that are masked were left out." : "";
    }
}
