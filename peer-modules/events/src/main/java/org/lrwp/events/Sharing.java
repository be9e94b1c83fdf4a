package org.lrwp.events;

import org.lrwp.events.channel.Channels;
import org.lrwp.events.channel.Draft;
import org.lrwp.events.event.EventData;
import org.lrwp.events.event.Seen;
import org.lrwp.events.fanout.FanOut;
import org.lrwp.runtime.module.Neighbours;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Events of all nodes of a cluster reach the clients of all: what is published here is told to the
 * modules of the same name, and what they tell is put into the channels. Called on the thread that
 * brings their words; never blocks.
 */
final class Sharing implements Neighbours.Listener {
    private static final System.Logger LOG = System.getLogger(Sharing.class.getName());

    private final Channels channels;
    private final FanOut fanOut;
    private final Counters counters;

    private Sharing(Channels channels, FanOut fanOut, Counters counters) {
        this.channels = channels;
        this.fanOut = fanOut;
        this.counters = counters;
    }

    /** Begins; before the first request. */
    static void begin(Neighbours neighbours, Channels channels, FanOut fanOut, Counters counters) {
        // First its own place: who joins is told at once where the others are.
        channels.share(neighbours.self());
        Neighbours.Voice voice = neighbours.join(new Sharing(channels, fanOut, counters));
        channels.tell(draft -> voice.tell(bytes(draft)));
    }

    // ---- Words.

    static byte[] bytes(Draft draft) {
        var bytes = new ByteArrayOutputStream();
        try (var out = new DataOutputStream(bytes)) {
            out.writeBoolean(draft.data().kind() == EventData.Kind.JSON);
            out.writeUTF(draft.key());
            out.writeShort(draft.channels().size());
            for (String channel : draft.channels()) {
                out.writeUTF(channel);
            }
            out.write(draft.data().text().getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("memory does not fail", e);
        }
        return bytes.toByteArray();
    }

    static Draft read(byte[] word) throws IOException {
        try (var in = new DataInputStream(new ByteArrayInputStream(word))) {
            EventData.Kind kind = in.readBoolean() ? EventData.Kind.JSON : EventData.Kind.TEXT;
            String key = in.readUTF();
            List<String> names = new ArrayList<>();
            for (int left = in.readUnsignedShort(); left > 0; left--) {
                names.add(in.readUTF());
            }
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return new Draft(names, new EventData(kind, text), key);
        }
    }

    // ---- The others.

    @Override
    public void heard(Neighbours.Origin origin, long number, byte[] word) {
        var source = new Seen.Part(origin, number);
        try {
            fanOut.published(channels.hear(read(word), source));
            counters.heard.increment();
        } catch (IOException e) {
            LOG.log(Level.WARNING, "event-not-understood node={0}", origin.node());
            fanOut.published(channels.miss(source));
        }
    }

    @Override
    public void missed(Neighbours.Origin origin, long last) {
        LOG.log(Level.WARNING, "events-missed node={0}", origin.node());
        fanOut.published(channels.miss(new Seen.Part(origin, last)));
    }

    @Override
    public void found(Neighbours.Origin origin, long last) {
        channels.found(new Seen.Part(origin, last));
    }
}
