package org.lrwp.systemtests.harness;

import org.lrwp.testkit.wire.ScriptedPeer;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/**
 * A program that goes as far as a phase of a peer's life, says so, and stays there to be killed.
 */
public final class PhasePeer {
    /** How far it goes. */
    public enum Phase {
        /** Connected, nothing sent. */
        CONNECTED,
        /** A part of the startup string sent. */
        HALF_HELLO,
        /** Registered, no request. */
        IDLE,
        /** A part of a request read. */
        HALF_REQUEST,
        /** A whole request read. */
        REQUEST,
        /** A part of the answer's length sent. */
        HALF_LENGTH,
        /** The answer's length and a part of its head sent. */
        HALF_HEAD,
        /** The answer's head and a part of its body sent. */
        HALF_BODY
    }

    private PhasePeer() {}

    /**
     * Runs the program.
     *
     * @param args port, context, phase
     */
    public static void main(String[] args) throws Exception {
        Phase phase = Phase.valueOf(args[2]);
        try (ScriptedPeer peer = ScriptedPeer.dialSmall(Integer.parseInt(args[0]))) {
            peer.wire().patience(Duration.ofMinutes(2));
            if (phase == Phase.HALF_HELLO) {
                peer.wire().send(args[1]);
            } else if (phase != Phase.CONNECTED) {
                peer.register(args[1]);
                if (phase != Phase.IDLE) {
                    System.out.println("registered");
                    goOn(peer, phase);
                }
            }
            System.out.println("reached");
            new CountDownLatch(1).await();
        }
    }

    private static void goOn(ScriptedPeer peer, Phase phase) throws Exception {
        if (phase == Phase.HALF_REQUEST) {
            peer.wire().read(100);
            return;
        }
        peer.request();
        String output = "Content-Type: text/plain\r\n\r\n" + "x".repeat(100_000);
        String frame = "%09d".formatted(output.length()) + output;
        switch (phase) {
            case HALF_LENGTH -> peer.wire().send(frame.substring(0, 5));
            case HALF_HEAD -> peer.wire().send(frame.substring(0, 20));
            case HALF_BODY -> peer.wire().send(frame.substring(0, 5000));
            default -> {}
        }
    }
}
