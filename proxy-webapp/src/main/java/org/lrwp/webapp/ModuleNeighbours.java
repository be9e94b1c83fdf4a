package org.lrwp.webapp;

import org.jspecify.annotations.Nullable;
import org.lrwp.cluster.News;
import org.lrwp.runtime.module.Neighbours;

/**
 * The modules of one name at all nodes of a cluster, over the news of the nodes; for one life of
 * the module at this node.
 */
final class ModuleNeighbours implements Neighbours, AutoCloseable {
    private static final String TOPIC = "module.";

    private final News news;
    private final String name;
    private News.@Nullable Topic topic;

    /**
     * Hears nothing before the module joins.
     *
     * @param news of this node
     * @param name of the module
     */
    ModuleNeighbours(News news, String name) {
        this.news = news;
        this.name = name;
    }

    @Override
    public Origin self() {
        return origin(news.self());
    }

    @Override
    public Voice join(Listener listener) {
        News.Topic joined = news.open(TOPIC + name, new Ears(listener));
        topic = joined;
        return joined::tell;
    }

    /** The module hears no more; the next one of its name may join. */
    @Override
    public void close() {
        if (topic != null) {
            topic.leave();
            topic = null;
        }
    }

    private static Origin origin(News.Origin origin) {
        return new Origin(origin.node(), origin.epoch());
    }

    /** Hears for a module. */
    private record Ears(Listener listener) implements News.Listener {
        @Override
        public void heard(News.Origin origin, long number, byte[] word) {
            listener.heard(origin(origin), number, word);
        }

        @Override
        public void missed(News.Origin origin, long last) {
            listener.missed(origin(origin), last);
        }

        @Override
        public void found(News.Origin origin, long last) {
            listener.found(origin(origin), last);
        }

        @Override
        public void restarted(String node) {
            // What it said in its life before has the name of that life.
        }
    }
}
