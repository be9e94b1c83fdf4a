package org.lrwp.systemtests.containers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/** What a container's process is told on its input, and tells on its output. */
final class Orders {
    /** Told when the container listens and the application is deployed. */
    static final String SERVED = "container: the application is served";

    /** Told when the container listens and the application did not start. */
    static final String REFUSED = "container: the application did not start";

    /** Told when the application has been undeployed. */
    static final String UNDEPLOYED = "container: the application is undeployed";

    private Orders() {}

    /** Something that a container does. */
    @FunctionalInterface
    interface Step {
        /** Does it. */
        void run() throws Exception;
    }

    /** Undeploys at the first line of the input, and returns at its end. */
    static void obey(boolean served, Step undeploy) throws Exception {
        System.out.println(served ? SERVED : REFUSED);
        try (BufferedReader input =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            if (input.readLine() != null) {
                undeploy.run();
                System.out.println(UNDEPLOYED);
            }
            while (input.readLine() != null) {
                System.out.println("container: there is nothing more to do");
            }
        } catch (IOException e) {
            System.out.println("container: " + e);
        }
    }
}
