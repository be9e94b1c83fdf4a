-- GET without body for wrk; prints the same line as post.lua, and bytes a second.
function done(summary, latency, requests)
    local bad = summary.errors
    io.write(string.format("bench requests=%d errors=%d rate=%.1f p50=%d p90=%d p99=%d p999=%d max=%d bytes=%.0f\n",
        summary.requests, bad.connect + bad.read + bad.write + bad.status + bad.timeout,
        summary.requests / (summary.duration / 1e6),
        latency:percentile(50), latency:percentile(90), latency:percentile(99), latency:percentile(99.9), latency.max,
        summary.bytes / (summary.duration / 1e6)))
end
