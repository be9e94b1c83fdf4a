package org.lrwp.sdk;

import jdk.net.ExtendedSocketOptions;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketOption;

/** TCP keep-alive that notices a vanished proxy within a minute instead of two hours. */
final class KeepAlive {
    private static final int IDLE_SECONDS = 30;
    private static final int INTERVAL_SECONDS = 10;
    private static final int PROBES = 3;

    private KeepAlive() {}

    static void quicken(Socket socket) throws IOException {
        set(socket, ExtendedSocketOptions.TCP_KEEPIDLE, IDLE_SECONDS);
        set(socket, ExtendedSocketOptions.TCP_KEEPINTERVAL, INTERVAL_SECONDS);
        set(socket, ExtendedSocketOptions.TCP_KEEPCOUNT, PROBES);
    }

    private static void set(Socket socket, SocketOption<Integer> option, int value)
            throws IOException {
        if (socket.supportedOptions().contains(option)) {
            socket.setOption(option, value);
        }
    }
}
