-- GET of one of many files by chance, for wrk: PATH in the URL, then a number from 0 to 999.
function init(args)
    math.randomseed(tonumber(tostring({}):match("0x(%x+)"), 16) % 1000003)
    requests = {}
    for i = 0, 999 do
        requests[i] = wrk.format("GET", wrk.path .. i)
    end
end

function request()
    return requests[math.random(0, 999)]
end

function done(summary, latency, requests)
    local bad = summary.errors
    io.write(string.format("bench requests=%d errors=%d rate=%.1f p50=%d p90=%d p99=%d p999=%d max=%d\n",
        summary.requests, bad.connect + bad.read + bad.write + bad.status + bad.timeout,
        summary.requests / (summary.duration / 1e6),
        latency:percentile(50), latency:percentile(90), latency:percentile(99), latency:percentile(99.9), latency.max))
end
