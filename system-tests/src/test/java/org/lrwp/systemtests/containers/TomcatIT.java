package org.lrwp.systemtests.containers;

/** The web application in Tomcat 11. */
final class TomcatIT extends ContainerCases {
    TomcatIT() {
        super(ContainerKind.TOMCAT);
    }
}
