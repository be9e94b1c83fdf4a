package org.lrwp.systemtests.containers;

/** The web application in Jetty 12. */
final class JettyIT extends ContainerCases {
    JettyIT() {
        super(ContainerKind.JETTY);
    }
}
