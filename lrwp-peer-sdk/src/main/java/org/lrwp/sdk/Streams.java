package org.lrwp.sdk;

import org.jspecify.annotations.Nullable;
import org.lrwp.protocol.MalformedFrameException;
import org.lrwp.protocol.frame.Frames;
import org.lrwp.protocol.frame.RequestPayload;
import org.lrwp.sdk.spi.Refusals;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The slots of one connection of LRWP 3, and the request in each. The reader fills them; {@link
 * #lost} and {@link #capacity} come from any thread.
 */
final class Streams {
    /** One slot: both directions of its newest request, and who answers it. */
    private record Slot(AnswerStream answer, IncomingBody body, StreamCall call) {}

    private static final String NO_CAPACITY = "no capacity";

    private final FrameWriter writer;
    private final PeerConfig config;
    private final long window;
    private final ConnectionEvents events;
    private final ReentrantLock lock = new ReentrantLock();
    // Guarded by the lock.
    private @Nullable Slot[] slots = new @Nullable Slot[8];
    private int capacity;
    private int largest;

    Streams(
            FrameWriter writer,
            PeerConfig config,
            long window,
            int capacity,
            ConnectionEvents events) {
        this.writer = writer;
        this.config = config;
        this.window = window;
        this.capacity = capacity;
        this.largest = capacity;
        this.events = events;
    }

    int envLimit() {
        return config.limits().environment();
    }

    /** Tells the proxy another capacity. */
    void capacity(int requests) {
        lock.lock();
        try {
            if (requests != capacity) {
                capacity = requests;
                largest = Math.max(largest, requests);
                writer.urgent(Frames.capacity(requests));
            }
        } finally {
            lock.unlock();
        }
    }

    /** Takes a request, or refuses it when it crossed a smaller capacity. */
    void request(int stream, RequestPayload payload, boolean end) throws MalformedFrameException {
        AnswerStream answer = new AnswerStream(stream, writer, window);
        IncomingBody body = new IncomingBody(config.window(), answer::grant);
        body.allow(lateOf(stream));
        body.add(payload.body().duplicate(), end);
        RequestHead head = head(payload, end);
        Places.Place place = config.places().place();
        StreamCall call = call(answer, body, head, place);
        answer.hearing(call);
        if (!place(stream, new Slot(answer, body, call))) {
            answer.refuse(NO_CAPACITY);
        } else if (head.bodyLength() > config.limits().body()) {
            PeerResponse tooLarge = Refusals.tooLarge();
            answer.send(
                    ResponseHead.encode(tooLarge.status(), tooLarge.headers()),
                    ByteBuffer.wrap(tooLarge.body()),
                    true);
        } else {
            place.take(() -> begin(answer, call, head), () -> answer.refuse(NO_CAPACITY));
        }
    }

    /** What the request before this one was granted too late. */
    private long lateOf(int stream) {
        Slot before;
        lock.lock();
        try {
            before = stream >= 1 && stream < slots.length ? slots[stream] : null;
        } finally {
            lock.unlock();
        }
        return before == null ? 0 : before.answer().late();
    }

    private static RequestHead head(RequestPayload payload, boolean end) {
        return end
                ? new EnvironmentHead(payload.environment(), payload.body().remaining())
                : EnvironmentHead.of(payload.environment());
    }

    private StreamCall call(
            AnswerStream answer, IncomingBody body, RequestHead head, Places.Place place) {
        if (config.handler() instanceof PeerHandler.Asynchronous asynchronous) {
            return new ExchangeCall(
                    asynchronous.handler(),
                    head,
                    answer,
                    body,
                    config.limits().body(),
                    events::handlerFailed,
                    place::free);
        }
        return new BlockingCall(
                ((PeerHandler.Blocking) config.handler()).handler(),
                head,
                answer,
                body,
                config.limits().body(),
                events::handlerFailed,
                place::free);
    }

    /** Puts a request into its slot; false when it is above the capacity of now. */
    private boolean place(int stream, Slot slot) throws MalformedFrameException {
        lock.lock();
        try {
            if (stream < 1 || stream > largest) {
                throw new MalformedFrameException(
                        "REQUEST on stream " + Integer.toUnsignedString(stream) + " of " + largest);
            }
            if (stream >= slots.length) {
                slots = Arrays.copyOf(slots, Math.max(stream + 1, slots.length * 2));
            }
            Slot before = slots[stream];
            if (before != null && !before.answer().isEnded()) {
                throw new MalformedFrameException("REQUEST on the open stream " + stream);
            }
            slots[stream] = slot;
            return stream <= capacity;
        } finally {
            lock.unlock();
        }
    }

    private void begin(AnswerStream answer, StreamCall call, RequestHead head) {
        Admission admission = config.admit();
        if (admission == null) {
            start(answer, call);
        } else {
            PeerThreads.handlers().execute(() -> admit(admission, answer, call, head));
        }
    }

    private void admit(
            Admission admission, AnswerStream answer, StreamCall call, RequestHead head) {
        String refusal = null;
        try {
            refusal = admission.refusal(head);
        } catch (RuntimeException e) {
            events.handlerFailed(e);
        }
        if (refusal == null) {
            start(answer, call);
        } else {
            answer.refuse(refusal);
        }
    }

    private void start(AnswerStream answer, StreamCall call) {
        if (config.started()) {
            answer.announce(call);
        } else {
            call.start();
        }
    }

    /** Takes more of a request's body. */
    void data(int stream, ByteBuffer bytes, boolean end) throws MalformedFrameException {
        Slot slot = open(stream, "DATA");
        if (!slot.answer().isEnded()) {
            slot.body().add(bytes, end);
            slot.call().bodyArrived();
            if (end) {
                slot.answer().inputEnded();
            }
        }
    }

    void window(int stream, long credit) throws MalformedFrameException {
        open(stream, "WINDOW").answer().credit(credit);
    }

    void cancel(int stream, String reason) throws MalformedFrameException {
        open(stream, "CANCEL").answer().cancelled(reason);
    }

    private Slot open(int stream, String frame) throws MalformedFrameException {
        lock.lock();
        try {
            Slot slot = stream >= 1 && stream < slots.length ? slots[stream] : null;
            if (slot == null) {
                throw new MalformedFrameException(
                        frame + " on stream " + Integer.toUnsignedString(stream) + ", never open");
            }
            return slot;
        } finally {
            lock.unlock();
        }
    }

    /** Says whether some request is not answered. */
    boolean isBusy() {
        for (Slot slot : snapshot()) {
            if (slot != null && !slot.answer().isEnded()) {
                return true;
            }
        }
        return false;
    }

    /** Ends all requests: nobody waits for their answers any more. */
    void lost(String reason) {
        for (Slot slot : snapshot()) {
            if (slot != null) {
                slot.answer().lost(reason);
            }
        }
    }

    private @Nullable Slot[] snapshot() {
        lock.lock();
        try {
            return slots.clone();
        } finally {
            lock.unlock();
        }
    }
}
