package org.lrwp.runtime;

import org.lrwp.sdk.PeerResponse;

import picocli.CommandLine;

/** A program whose handler waits for a line on standard input; run as a process of its own. */
final class HeldPeer {
    private HeldPeer() {}

    public static void main(String[] arguments) {
        PeerProgram.prepareLogging();
        PeerOptions options = CommandLine.populateCommand(new PeerOptions(), arguments);
        PeerProgram program =
                new PeerProgram(
                        options,
                        "/held",
                        request -> {
                            System.out.println("entered");
                            return PeerResponse.text(200, "released " + System.in.read());
                        });
        System.exit(program.atEnd(() -> System.out.println("ended")).run());
    }
}
