package org.lrwp.server.training;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.List;
import java.util.Random;

/**
 * Requests as browsers and programs send them, no two alike: GET, POST of 200 to 3,000 bytes, some
 * chunked, some with a path that needs decoding, and now and then one that is for the container,
 * for nobody, or refused.
 */
final class TrainingRequests {
    private static final List<String> AGENTS =
            List.of(
                    "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0",
                    "okhttp/4.12.0",
                    "python-requests/2.32.3",
                    "curl/8.9.1");
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
        if (sent % 500 == 250) {
            return get("/");
        }
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
            return text(line, "Transfer-Encoding: chunked\r\n", chunk);
        }
        return text(line, "Content-Length: " + body.length() + "\r\n", body);
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
        return target.append('/').append(id()).append("?page=").append(id()).toString();
    }

    private String word() {
        return WORDS.get(random.nextInt(WORDS.size()));
    }

    private String id() {
        return Long.toHexString(random.nextLong());
    }

    private byte[] get(String target) {
        return text("GET " + target + " HTTP/1.1", "", "");
    }

    private byte[] text(String line, String framing, String body) {
        String head =
                line
                        + "\r\nHost: localhost\r\nUser-Agent: "
                        + AGENTS.get(random.nextInt(AGENTS.size()))
                        + "\r\n"
                        + "Accept: text/html,application/json;q=0.9,*/*;q=0.8\r\n"
                        + "Accept-Encoding: gzip, deflate, br\r\n"
                        + "Accept-Language: en-US,en;q=0.9\r\n"
                        + "Referer: https://www.example.org/"
                        + word()
                        + "\r\nCookie: sid="
                        + id()
                        + "; theme=dark\r\nX-Request-Id: "
                        + id()
                        + "\r\nContent-Type: application/json\r\nConnection: keep-alive\r\n"
                        + framing
                        + "\r\n";
        return (head + body).getBytes(ISO_8859_1);
    }
}
