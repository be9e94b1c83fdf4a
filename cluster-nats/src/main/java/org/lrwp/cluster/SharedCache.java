package org.lrwp.cluster;

import org.lrwp.engine.cache.Forgotten;
import org.lrwp.engine.cache.ResponseCache;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The response caches of all nodes forget together. What one has missed it cannot know: then it
 * trusts nothing that it has stored before, and asks the peers whether that is still good.
 */
final class SharedCache implements News.Listener {
    private static final String TOPIC = "cache";
    private static final byte ONE = 1;
    private static final byte ALL = 2;

    private final ResponseCache cache;

    private SharedCache(ResponseCache cache) {
        this.cache = cache;
    }

    /** Lets a cache forget with the others. */
    static void share(ResponseCache cache, News news) {
        News.Topic topic = news.open(TOPIC, new SharedCache(cache));
        // Its file may be of a time at which this node was not there.
        cache.distrust();
        cache.share(forgotten -> topic.tell(bytes(forgotten)));
    }

    private static byte[] bytes(Forgotten forgotten) {
        byte[] url = forgotten.url().getBytes(StandardCharsets.UTF_8);
        byte[] word = new byte[url.length + 1];
        word[0] = forgotten.prefix() ? ALL : ONE;
        System.arraycopy(url, 0, word, 1, url.length);
        return word;
    }

    @Override
    public void heard(News.Origin origin, long number, byte[] word) {
        if (word.length == 0) {
            return;
        }
        byte[] url = Arrays.copyOfRange(word, 1, word.length);
        cache.forget(new Forgotten(new String(url, StandardCharsets.UTF_8), word[0] == ALL));
    }

    @Override
    public void missed(News.Origin origin, long last) {
        cache.distrust();
    }

    @Override
    public void found(News.Origin origin, long last) {
        cache.distrust();
    }

    @Override
    public void restarted(String node) {
        cache.distrust();
    }
}
