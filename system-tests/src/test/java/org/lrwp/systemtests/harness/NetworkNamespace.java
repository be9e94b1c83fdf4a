package org.lrwp.systemtests.harness;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A network of its own for a program (Linux), as if that ran on another machine, with two addresses
 * there. The way to the second can be a black hole: no packet passes, and nobody is told.
 */
final class NetworkNamespace {
    private static final System.Logger LOG = System.getLogger(NetworkNamespace.class.getName());

    /** Of the networks for measurements: RFC 2544 appendix C.2.2. */
    private static final String NETWORK = "198.18.";

    private static final int THIRD_NUMBERS = 250;

    private final String name;
    private final String here;
    private final String there;
    private final String network;

    private NetworkNamespace(long process) {
        name = "lrwp-" + process;
        here = "lh" + process;
        there = "lt" + process;
        network = NETWORK + process % THIRD_NUMBERS + ".";
    }

    /** Makes one; empty where that is not allowed, which the log says. */
    static Optional<NetworkNamespace> open() {
        var made = new NetworkNamespace(ProcessHandle.current().pid());
        try {
            made.make();
            return Optional.of(made);
        } catch (IOException e) {
            LOG.log(
                    System.Logger.Level.INFO,
                    "no-network-namespace reason=\"{0}\"",
                    e.getMessage());
            made.remove();
            return Optional.empty();
        }
    }

    private void make() throws IOException {
        ip("netns add " + name);
        ip("link add %s type veth peer name %s netns %s".formatted(here, there, name));
        ip("addr add %s1/30 dev %s".formatted(network, here));
        ip("addr add %s5/30 dev %s".formatted(network, here));
        ip("link set %s up".formatted(here));
        ip("-n %s addr add %s2/30 dev %s".formatted(name, network, there));
        ip("-n %s addr add %s6/30 dev %s".formatted(name, network, there));
        ip("-n %s link set %s up".formatted(name, there));
    }

    /** An address of the program there. */
    String address() {
        return network + "2";
    }

    /** Another one of it, by the way that may be a black hole. */
    String otherAddress() {
        return network + "6";
    }

    /** Has a command run there; the process is that of the command. */
    List<String> inside(List<String> command) {
        List<String> all = new ArrayList<>(List.of("ip", "netns", "exec", name));
        all.addAll(command);
        return all;
    }

    /** The way to a port of the other address; its end is that of the network. */
    SilentWay otherWay(int port) {
        return new SilentWay() {
            @Override
            public String address() {
                return otherAddress() + ":" + port;
            }

            @Override
            public void silentWhile(Runnable done) {
                blackHoleWhile(done);
            }

            @Override
            public void close() {
                remove();
            }
        };
    }

    private void blackHoleWhile(Runnable done) {
        String to = "route %s blackhole " + network + "6/32";
        String back = "-n " + name + " route %s blackhole " + network + "5/32";
        try {
            ip(to.formatted("add"));
            ip(back.formatted("add"));
            done.run();
        } catch (IOException e) {
            throw new AssertionError(e);
        } finally {
            quietly(to.formatted("del"));
            quietly(back.formatted("del"));
        }
    }

    private static void ip(String line) throws IOException {
        List<String> command = new ArrayList<>(List.of("ip"));
        command.addAll(List.of(line.split(" ", -1)));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said =
                new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        int code = process.onExit().join().exitValue();
        if (code != 0) {
            throw new IOException("ip " + line + ": " + said);
        }
    }

    private static void quietly(String line) {
        try {
            ip(line);
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "not-undone", e);
        }
    }

    private void remove() {
        quietly("link del " + here);
        quietly("netns del " + name);
    }
}
