package org.lrwp.webapp;

import org.lrwp.cluster.News;
import org.lrwp.runtime.module.Neighbours;

/**
 * The modules of one name at all nodes of a cluster, over the news of the nodes.
 *
 * @param news of this node
 * @param name of the module
 */
record ModuleNeighbours(News news, String name) implements Neighbours {
    private static final String TOPIC = "module.";

    @Override
    public Origin self() {
        return origin(news.self());
    }

    @Override
    public Voice join(Listener listener) {
        return news.open(TOPIC + name, new Ears(listener))::tell;
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
