package org.lrwp.bench.jmh;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.context.ContextMatch;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** Finding the context of a path, among few and among many. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class MatchBenchmark {
    private static final String HOST = "www.example.com";

    private final Contexts contexts = new Contexts();

    /** How many contexts are registered. */
    @Param({"10", "1000", "10000"})
    public int registered = 10;

    /** Registers them. */
    @Setup
    public void register() {
        contexts.join(
                new PipeLink(40_000),
                IntStream.range(0, registered).mapToObj(i -> "/c" + i).toArray(String[]::new));
    }

    /** A path three segments below its context. */
    @Benchmark
    public @Nullable ContextMatch match() {
        return contexts.manager().match(HOST, "/c7/a/b/c");
    }

    /** A path that no peer serves. */
    @Benchmark
    public @Nullable ContextMatch matchNothing() {
        return contexts.manager().match(HOST, "/static/css/site.css");
    }
}
