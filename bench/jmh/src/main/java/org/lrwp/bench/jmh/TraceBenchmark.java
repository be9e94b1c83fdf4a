package org.lrwp.bench.jmh;

import org.lrwp.engine.exchange.ExchangeRecord;
import org.lrwp.engine.exchange.RequestTrace;
import org.lrwp.engine.request.RequestHead;
import org.lrwp.webapp.config.TracesConfig;
import org.lrwp.webapp.traces.RequestFollower;
import org.lrwp.webapp.traces.Traces;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

import java.net.URI;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** What traces cost the thread of a request: begun, four events, ended. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class TraceBenchmark {
    /** A port where nobody listens, so that what is measured is this side. */
    private static final URI NOBODY = URI.create("http://127.0.0.1:9/v1/traces");

    /** Share of the requests whose span is sent; {@code off} = there are no traces. */
    @Param({"off", "0", "0.01", "1"})
    private String ratio = "off";

    private final RequestHead head = Samples.requestHead();
    private final ExchangeRecord ended = Samples.ended();
    private RequestFollower follower = RequestFollower.NOBODY;
    private Runnable end = () -> {};

    /** Starts traces. */
    @Setup
    public void start() {
        if (!ratio.equals("off")) {
            var config =
                    new TracesConfig(
                            NOBODY,
                            null,
                            "bench",
                            Double.parseDouble(ratio),
                            TracesConfig.Continued.ALL,
                            2048,
                            512,
                            Duration.ofSeconds(1),
                            Duration.ofSeconds(1));
            Traces traces = Traces.start(() -> config, any -> true, "1", "");
            follower = traces;
            end = traces::close;
        }
    }

    /** Ends traces. */
    @TearDown
    public void stop() {
        end.run();
    }

    /** All that is done for one request. */
    @Benchmark
    public String request() {
        RequestTrace trace = follower.follow(head);
        trace.queued();
        trace.started();
        trace.firstByte();
        trace.answered();
        trace.ended(ended);
        return trace.parent();
    }
}
