package org.lrwp.bench.jmh;

import org.lrwp.engine.exchange.ExchangeRecord;
import org.lrwp.webapp.metrics.RequestMetrics;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

import java.util.concurrent.TimeUnit;

/** What the metrics cost the thread that ends a request. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class MetricsBenchmark {
    private static final int CONTEXTS = 1_000;

    private final RequestMetrics metrics = new RequestMetrics(ended -> {}, CONTEXTS);
    private final ExchangeRecord ended = Samples.ended();

    /** All that is counted of one request. */
    @Benchmark
    public void count() {
        metrics.ended(ended);
    }
}
