-- The request of the benchmarks for wrk: POST of 1,500 bytes; prints latencies and errors in one line.
wrk.method = "POST"
wrk.body = string.rep("b", 1500)
wrk.headers["Content-Type"] = "text/xml"

function done(summary, latency, requests)
    local bad = summary.errors
    io.write(string.format("bench requests=%d errors=%d rate=%.1f p50=%d p90=%d p99=%d p999=%d max=%d\n",
        summary.requests, bad.connect + bad.read + bad.write + bad.status + bad.timeout,
        summary.requests / (summary.duration / 1e6),
        latency:percentile(50), latency:percentile(90), latency:percentile(99), latency:percentile(99.9), latency.max))
end
