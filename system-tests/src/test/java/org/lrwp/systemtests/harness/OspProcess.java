package org.lrwp.systemtests.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The OSP peer as an operator starts it: its jar, a data folder, a file of configuration. */
public final class OspProcess {
    private static final Duration LONGEST = Duration.ofMinutes(1);

    private OspProcess() {}

    /** Starts one in a folder and waits until it serves a context, like {@code /osp}. */
    public static ProcessPeer start(
            Scene scene, Path folder, String context, List<String> configuration, String... options)
            throws Exception {
        configure(folder, configuration);
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "--proxy",
                                "127.0.0.1:" + scene.proxy().lrwpPort(),
                                "--context",
                                context));
        arguments.addAll(List.of(options));
        ProcessPeer peer = ProcessPeer.start(command(folder, arguments));
        Wait.require(
                "the OSP peer serves " + context,
                LONGEST,
                () -> scene.proxy().status().number(context, "connections") > 0);
        return peer;
    }

    /** Writes its configuration, for commands that come before its start. */
    public static void configure(Path folder, List<String> configuration) throws IOException {
        Files.writeString(folder.resolve("osp.properties"), String.join("\n", configuration));
    }

    /** Runs one of its other commands, such as {@code cdr}; what it printed. */
    public static String run(Path folder, String... arguments) throws Exception {
        return Tools.run(folder, LONGEST, "", command(folder, List.of(arguments)));
    }

    private static List<String> command(Path folder, List<String> arguments) {
        List<String> command = Project.java("-jar");
        command.add(
                Project.root().resolve("osp-sample-peer/target/osp-sample-peer.jar").toString());
        command.addAll(arguments);
        command.add("--data");
        command.add(folder.resolve("data").toString());
        command.add("--config");
        command.add(folder.resolve("osp.properties").toString());
        return command;
    }
}
