package org.lrwp.server.training;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.List;
import java.util.Random;

/**
 * Requests as browsers and programs send them, no two alike: GET, POST of 200 to 3,000 bytes, some
 * chunked, some with a path that needs decoding, and now and then one that is for nobody, or
 * refused. Programs differ in their fields: what none of these does would have the JVM compile its
 * readers again when somebody does it.
 */
final class TrainingRequests {
    /** The fields of programs; {@code #} is something that is never the same. */
    private static final List<String> PROGRAMS =
            List.of(
                    """
                    Host: www.example.org
                    User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0
                    Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8
                    Accept-Language: en-US,en;q=0.5
                    Accept-Encoding: gzip, deflate, br, zstd
                    Referer: https://www.example.org/#
                    Cookie: sid=#; theme=dark
                    Connection: keep-alive
                    Upgrade-Insecure-Requests: 1
                    Sec-Fetch-Dest: document
                    Sec-Fetch-Mode: navigate
                    Priority: u=0, i
                    """,
                    """
                    Authorization: Bearer #
                    Content-Type: application/json; charset=utf-8
                    Host: api.example.org:8080
                    Connection: Keep-Alive
                    Accept-Encoding: gzip
                    User-Agent: okhttp/4.12.0
                    X-App: shop
                    X-Client-Version: 7.1.0
                    X-Forwarded-For: 203.0.113.7
                    """,
                    """
                    Host: localhost:8080
                    User-Agent: python-requests/2.32.3
                    Accept-Encoding: gzip, deflate
                    Accept: */*
                    Connection: keep-alive
                    X-Request-Id: #
                    X-Api-Key: #
                    Cache-Control: no-cache
                    """,
                    """
                    Host: 127.0.0.1:8080
                    User-Agent: curl/8.9.1
                    Accept: */*
                    Content-Type: application/x-www-form-urlencoded
                    X-Request-Id: #
                    """,
                    """
                    host: localhost:8080
                    connection: keep-alive
                    content-type: application/json
                    accept: */*
                    accept-language: *
                    sec-fetch-mode: cors
                    user-agent: node
                    accept-encoding: gzip, deflate
                    traceparent: 00-#-00f067aa0ba902b7-01
                    """);

    private static final List<String> WORDS =
            List.of("account", "basket", "catalog", "items", "orders", "reports", "search", "v2");
    private static final int LEAST_BODY = 200;
    private static final int MORE_BODY = 2_800;

    private final Random random;
    private int sent;

    /**
     * The same requests for the same number.
     *
     * @param number of the client
     */
    TrainingRequests(int number) {
        random = new Random(number);
    }

    /** The bytes of the next one. */
    byte[] next() {
        sent++;
        if (sent % 500 == 0) {
            return get(TrainingLoad.MULTIPLEXED + "/../..");
        }
        if (sent % 100 == 0) {
            return get("/missing/" + sent);
        }
        if (happens(40)) {
            return get(target());
        }
        String body = "b".repeat(LEAST_BODY + random.nextInt(MORE_BODY));
        String line = "POST " + target() + " HTTP/1.1";
        if (happens(5)) {
            String chunk = Integer.toHexString(body.length()) + "\r\n" + body + "\r\n0\r\n\r\n";
            return text(line, "Transfer-Encoding: chunked\n", chunk);
        }
        return text(line, "Content-Length: " + body.length() + "\n", body);
    }

    private boolean happens(int ofHundred) {
        return random.nextInt(100) < ofHundred;
    }

    private String target() {
        var target = new StringBuilder(128);
        // Most requests are for the newer protocol.
        target.append(happens(20) ? TrainingLoad.SERIAL : TrainingLoad.MULTIPLEXED);
        for (int i = random.nextInt(4); i >= 0; i--) {
            target.append('/').append(word());
        }
        if (happens(10)) {
            target.append(happens(50) ? "/caf%C3%A9" : "/a/../b");
        }
        target.append('/').append(id());
        return happens(80) ? target.append("?page=").append(id()).toString() : target.toString();
    }

    private String word() {
        return WORDS.get(random.nextInt(WORDS.size()));
    }

    private String id() {
        return Long.toHexString(random.nextLong());
    }

    /** The bytes of one without a body. */
    byte[] get(String target) {
        return text("GET " + target + " HTTP/1.1", "", "");
    }

    private byte[] text(String line, String framing, String body) {
        String fields = PROGRAMS.get(random.nextInt(PROGRAMS.size()));
        String head = line + "\n" + fields.replace("#", id()) + framing + "\n";
        return (head.replace("\n", "\r\n") + body).getBytes(ISO_8859_1);
    }
}
