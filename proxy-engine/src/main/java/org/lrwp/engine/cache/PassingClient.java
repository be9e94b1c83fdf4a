package org.lrwp.engine.cache;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.exchange.AnswerHead;
import org.lrwp.engine.exchange.Client;
import org.lrwp.engine.exchange.Failure;
import org.lrwp.engine.spool.Spool;
import org.lrwp.protocol.HeaderField;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The client of a request that the cache has passed on: says so in the answer, and forgets what the
 * request has changed.
 */
final class PassingClient implements Client {
    private final Client client;
    private final String why;
    private final @Nullable Consumer<String> changed;
    private final String url;

    /**
     * Wraps a client.
     *
     * @param why the reason, as RFC 9211 section 2.2 names it
     * @param changed told of each URL whose answer is invalid after this request; null for a safe
     *     one
     * @param url of the request
     */
    PassingClient(Client client, String why, @Nullable Consumer<String> changed, String url) {
        this.client = client;
        this.why = why;
        this.changed = changed;
        this.url = url;
    }

    @Override
    public void answer(AnswerHead head, Spool body) {
        if (changed != null && head.status() < 400) {
            invalidate(changed, head);
        }
        List<HeaderField> fields = new ArrayList<>(head.fields());
        fields.add(CacheStatus.of("fwd=" + why));
        client.answer(
                new AnswerHead(
                        head.status(),
                        head.reason(),
                        fields,
                        head.contentLength(),
                        head.bodyless()),
                body);
    }

    @Override
    public void sticksTo(String tag) {
        client.sticksTo(tag);
    }

    /** Also what Location and Content-Location name, when it is of the same host. */
    private void invalidate(Consumer<String> told, AnswerHead head) {
        Set<String> urls = new LinkedHashSet<>(List.of(url));
        for (String name : List.of("Location", "Content-Location")) {
            String value = Fields.all(head.fields(), name);
            String named = value == null ? null : Reference.resolve(url, value);
            if (named != null) {
                urls.add(named);
            }
        }
        urls.forEach(told);
    }

    @Override
    public void fail(Failure failure) {
        if (changed != null) {
            // Nobody knows what the peer has done of it.
            changed.accept(url);
        }
        client.fail(failure);
    }

    @Override
    public long errorBytes(Failure failure) {
        return client.errorBytes(failure);
    }

    @Override
    public void abandoned() {
        if (changed != null) {
            changed.accept(url);
        }
        client.abandoned();
    }
}
