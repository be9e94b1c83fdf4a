package org.lrwp.systemtests.containers;

import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;

import java.nio.file.Files;
import java.nio.file.Path;

/** Tomcat with one application. */
final class TomcatServer {
    private TomcatServer() {}

    /** Arguments: HTTP port, WAR, context root (empty for the root), an empty folder. */
    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[3]);
        Files.createDirectories(folder.resolve("webapps"));
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(folder.toString());
        tomcat.setPort(Integer.parseInt(arguments[0]));
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        Context application = tomcat.addWebapp(arguments[2], arguments[1]);
        tomcat.start();

        Orders.obey(
                application.getState().isAvailable(),
                () -> tomcat.getHost().removeChild(application));
        tomcat.stop();
        tomcat.destroy();
    }
}
