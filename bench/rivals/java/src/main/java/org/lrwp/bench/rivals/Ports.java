package org.lrwp.bench.rivals;

import java.util.List;

/**
 * Where a rival listens and where its back end is, both on 127.0.0.1.
 *
 * @param http port of the proxy
 * @param backEnd port of the HTTP server behind it
 */
record Ports(int http, int backEnd) {
    static final String LOOPBACK = "127.0.0.1";

    static Ports of(String... arguments) {
        if (arguments.length != 2) {
            throw new IllegalArgumentException(
                    "two ports are needed, the proxy's and the back end's: " + List.of(arguments));
        }
        return new Ports(Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]));
    }

    /** Tells bench/run that clients may come. */
    static void ready() {
        System.out.println("listening");
        System.out.flush();
    }
}
