package org.lrwp.http1;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** Requests that are good and bad in many ways, and what becomes of them by chance. */
final class Corpus {
    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n";
    private static final String POST = "POST /p HTTP/1.1\r\nHost: a\r\n";
    private static final String CHUNKED = POST + "Transfer-Encoding: chunked\r\n\r\n";
    private static final String BROWSER =
            """
            POST /shop/item%20one?id=7&q=a+b HTTP/1.1\r
            Host: shop.example:8080\r
            User-Agent: Mozilla/5.0 (X11; Linux x86_64)\r
            Accept: text/html,*/*;q=0.8\r
            Accept-Encoding: gzip, br\r
            Cookie: session=0123456789; theme=dark\r
            Content-Type: application/x-www-form-urlencoded\r
            X-Request-Id:\t4711 \r
            Connection: keep-alive\r
            Content-Length: 7\r
            \r
            a=b&c=d\
            """;

    static final List<String> GOOD =
            List.of(
                    GET + "\r\n",
                    "\r\n\r\n" + GET + "\r\n",
                    BROWSER,
                    "GET / HTTP/1.0\r\n\r\n",
                    "GET /a HTTP/1.0\r\nHost: [::1]:80\r\nConnection: Keep-Alive\r\n\r\n",
                    "GET / HTTP/1.3\r\nHost: a\r\n\r\n",
                    "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n",
                    "CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n",
                    "GET http://b.example/c?d HTTP/1.1\r\nHost: b.example\r\n\r\n",
                    "M-SEARCH /|a\"{} HTTP/1.1\r\nhOsT:\r\n\r\n",
                    GET + "X:\r\nY: \t\r\nX: a \t b\t\r\nZ: caf\u00e9 \u00ff\r\n\r\n",
                    GET + "Cookie: a=b\r\nCookie: c=d\r\nConnection: x, close\r\n\r\n",
                    POST + "Content-Length: 0\r\n\r\n",
                    POST + "content-length: 0005\r\n\r\n\r\nG\r\n",
                    CHUNKED + "0\r\n\r\n",
                    CHUNKED + "5\r\nabcde\r\nA;x=\"y\\\"z\u00e9\";w\r\n0123456789\r\n00\r\n\r\n",
                    CHUNKED + "3 ; a = b\r\n\r\n0\r\n0\r\nX: y\r\nHost: b\r\n\r\n",
                    CHUNKED + "00000000000000000001\r\na\r\n0;b\r\nX:\r\n\r\n",
                    POST + "Transfer-Encoding: ,Chunked ,\r\n\r\n1\r\na\r\n0\r\n\r\n",
                    POST + "Expect: 100-continue\r\nContent-Length: 1\r\n\r\nx",
                    "GET / HTTP/1.1\r\nHost: a_b\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n",
                    "GET / HTTP/1.1\r\nHost: a%2Db\r\n\r\n",
                    "POST / HTTP/1.2\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                    CHUNKED + "2;a=\"b\u00e9\"\r\nab\r\n0\r\n\r\n",
                    CHUNKED + "fffffffffffffff\r\nab",
                    "get / HTTP/1.1\r\nhost: a\r\n\r\n",
                    "GET /%zz\\^ HTTP/1.1\r\nHost: a:\r\n\r\n",
                    POST + "Content-Length: 3\r\n\r\nabc\r\n" + GET + "\r\n");

    static final List<String> BAD =
            List.of(
                    "GET / HTTP/1.1\n Host: a\n\n",
                    "GET / HTTP/1.1\nHost: a\n\n",
                    "\nGET / HTTP/1.1\r\nHost: a\r\n\r\n",
                    "GET / HTTP/1.1\r\nHost: a\r\nX: y\n\r\n",
                    "GET / HTTP/1.1\r\nX\n: y\r\nHost: a\r\n\r\n",
                    "GET / HTTP/1.1\r\nHost: a\r\n\n",
                    GET + "X: a\rb\r\n\r\n",
                    GET + "X: a\r\r\n\r\n",
                    "\r" + GET + "\r\n",
                    "GET  / HTTP/1.1\r\nHost: a\r\n\r\n",
                    "GET /  HTTP/1.1\r\nHost: a\r\n\r\n",
                    "GET\t/\tHTTP/1.1\r\nHost: a\r\n\r\n",
                    " GET / HTTP/1.1\r\nHost: a\r\n\r\n",
                    "GET / HTTP/1.1 \r\nHost: a\r\n\r\n",
                    "GET / HTTP/1.10\r\nHost: a\r\n\r\n",
                    "GET / http/1.1\r\nHost: a\r\n\r\n",
                    "GET / HTTP/2.0\r\nHost: a\r\n\r\n",
                    "GET / HTTP/0.9\r\nHost: a\r\n\r\n",
                    "GET /\r\n\r\n",
                    "GET /a\u00e9 HTTP/1.1\r\nHost: a\r\n\r\n",
                    "GET /a#b HTTP/1.1\r\nHost: a\r\n\r\n",
                    "GET /a\u0000 HTTP/1.1\r\nHost: a\r\n\r\n",
                    "GET a HTTP/1.1\r\nHost: a\r\n\r\n",
                    "GET * HTTP/1.1\r\nHost: a\r\n\r\n",
                    "GET ftp://a/ HTTP/1.1\r\nHost: a\r\n\r\n",
                    "GET http://u@a/ HTTP/1.1\r\nHost: a\r\n\r\n",
                    "CONNECT / HTTP/1.1\r\nHost: a\r\n\r\n",
                    "GET\u000b/ HTTP/1.1\r\nHost: a\r\n\r\n",
                    ":GET / HTTP/1.1\r\nHost: a\r\n\r\n",
                    "GET / HTTP/1.1\r\nHost: a:+1\r\n\r\n",
                    "G(T / HTTP/1.1\r\nHost: a\r\n\r\n",
                    "GET / HTTP/1.1\r\n\r\n",
                    GET + "Host: a\r\n\r\n",
                    "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n",
                    "GET / HTTP/1.1\r\nHost: a@b\r\n\r\n",
                    "GET / HTTP/1.1\r\nHost: a b\r\n\r\n",
                    "GET / HTTP/1.1\r\n Host: a\r\n\r\n",
                    GET + "X : y\r\n\r\n",
                    GET + "X: y\r\n z\r\n\r\n",
                    GET + "X y\r\n\r\n",
                    GET + ": y\r\n\r\n",
                    GET + "X(: y\r\n\r\n",
                    GET + "X\u00e9: y\r\n\r\n",
                    GET + "X: a\u0000b\r\n\r\n",
                    GET + "X: a\u0001b\r\n\r\n",
                    GET + "X: a\u007fb\r\n\r\n",
                    GET + "Content-Type: a/b\r\nContent-Type: a/c\r\n\r\n",
                    GET + "X: y\r\n".repeat(100) + "\r\n",
                    GET + "X: " + "y".repeat(9000) + "\r\n\r\n",
                    "GET /" + "y".repeat(9000) + " HTTP/1.1\r\nHost: a\r\n\r\n",
                    "A".repeat(9000) + " / HTTP/1.1\r\nHost: a\r\n\r\n",
                    "\r\n".repeat(4200) + GET + "\r\n",
                    POST + "Content-Length: 1\r\nContent-Length: 1\r\n\r\na",
                    POST + "Content-Length: 1, 1\r\n\r\na",
                    POST + "Content-Length: +1\r\n\r\na",
                    POST + "Content-Length: -1\r\n\r\na",
                    POST + "Content-Length:\r\n\r\n",
                    POST + "Content-Length: 0x1\r\n\r\na",
                    POST + "Content-Length: 0000000000000000001\r\n\r\na",
                    POST + "Content-Length: 1000000000000000000\r\n\r\na",
                    POST + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                    POST + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
                    POST + "Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n",
                    POST + "Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n",
                    POST + "Transfer-Encoding: identity\r\n\r\n",
                    POST + "Transfer-Encoding:\r\n\r\n",
                    POST
                            + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n"
                            + "0\r\n\r\n",
                    POST
                            + "Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n"
                            + "0\r\n\r\n",
                    "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                    CHUNKED + "1\na\r\n0\r\n\r\n",
                    CHUNKED + "1\r\na\n0\r\n\r\n",
                    CHUNKED + "1\r\nab\r\n0\r\n\r\n",
                    CHUNKED + "\r\n0\r\n\r\n",
                    CHUNKED + "0x1\r\na\r\n0\r\n\r\n",
                    CHUNKED + "+1\r\na\r\n0\r\n\r\n",
                    CHUNKED + " 1\r\na\r\n0\r\n\r\n",
                    CHUNKED + "1 \r\na\r\n0\r\n\r\n",
                    CHUNKED + "1;\r\na\r\n0\r\n\r\n",
                    CHUNKED + "1;a=\"b\r\na\r\n0\r\n\r\n",
                    CHUNKED + "1;a\n\r\na\r\n0\r\n\r\n",
                    CHUNKED + "1;a\u0000\r\na\r\n0\r\n\r\n",
                    CHUNKED + "1000000000000000\r\na",
                    CHUNKED + "10000000000000001\r\na\r\n0\r\n\r\n",
                    CHUNKED + "1;a=" + "b".repeat(1100) + "\r\na\r\n0\r\n\r\n",
                    CHUNKED + "0\r\nX : y\r\n\r\n",
                    CHUNKED + "0\r\n X: y\r\n\r\n",
                    CHUNKED + "0\r\nX: y\r\n z\r\n\r\n",
                    CHUNKED + "0\r\nX: a\u0000\r\n\r\n",
                    CHUNKED + "0\r\nX: y\n\r\n",
                    CHUNKED + "0\r\n\n",
                    CHUNKED + "0\r\nX\r\n\r\n",
                    CHUNKED + "0\r\nX: " + "y".repeat(1100) + "\r\n\r\n");

    private static final String[] WORDS = {
        "\r\n",
        "\n",
        "\r",
        " ",
        "\t",
        ":",
        ";",
        ",",
        "\"",
        "\\",
        "\u0000",
        "\u007f",
        "\u0080",
        "\u00ff",
        "0",
        "1",
        "a",
        "/",
        "*",
        "#",
        "%",
        "@",
        "[",
        "]",
        "\r\n\r\n",
        "HTTP/1.1",
        "http://",
        "chunked",
        "Transfer-Encoding: chunked\r\n",
        "Content-Length: 1\r\n",
        "Host: b\r\n",
        "X: y\r\n",
        "Connection: close\r\n",
        "\r\n ",
        "0\r\n\r\n",
        "+",
        "-",
        "=",
        "?",
        "\u000b",
        "\u000c"
    };

    private Corpus() {}

    static Stream<String> all() {
        return Stream.concat(GOOD.stream(), BAD.stream());
    }

    /** What a few changes make of the corpus; the same for the same seed. */
    static List<String> mutations(long seed, int count) {
        var random = new Random(seed);
        List<String> from = all().filter(text -> text.length() < 600).toList();
        List<String> mutations = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            // Most begin as good ones, as these have more rules left to break.
            boolean good = random.nextInt(4) > 0;
            var text = new StringBuilder(pick(good ? GOOD : from, random));
            int changes = 1 + random.nextInt(3);
            for (int change = 0; change < changes; change++) {
                mutate(text, random);
            }
            mutations.add(text.toString());
        }
        return mutations;
    }

    private static <T> T pick(List<T> all, Random random) {
        return all.get(random.nextInt(all.size()));
    }

    private static void mutate(StringBuilder text, Random random) {
        int at = random.nextInt(text.length() + 1);
        int end = Math.min(text.length(), at + 1 + random.nextInt(3));
        String word = WORDS[random.nextInt(WORDS.length)];
        switch (random.nextInt(5)) {
            case 0 -> text.insert(at, word);
            case 1 -> text.replace(at, end, word);
            case 2 -> text.delete(at, end);
            case 3 -> text.insert(at, text.substring(at, end));
            default -> {
                if (at < text.length()) {
                    text.setCharAt(at, (char) random.nextInt(256));
                }
            }
        }
    }
}
