package org.lrwp.systemtests.harness;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The application of examples/spring-boot, as the build has packed it, on a JDK 17. */
public final class SpringBootShop {
    private SpringBootShop() {}

    /** Starts it; it dials in to a proxy and serves a context. */
    public static ExamplePeer start(int port, String context, String... options)
            throws IOException {
        List<String> command = new ArrayList<>(OlderJava.java("-jar"));
        command.add(Project.root().resolve("examples/spring-boot/target/shop.jar").toString());
        command.add("--lrwp.proxy=127.0.0.1:" + port);
        command.add("--server.servlet.context-path=/" + context);
        command.addAll(List.of(options));
        return ExamplePeer.start(command, Map.of());
    }
}
