package org.lrwp.examples.boot;

import org.lrwp.jetty.LrwpConnector;
import org.lrwp.sdk.LrwpPeer;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jetty.servlet.JettyServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;

/** A web application that dials in to a proxy. What it needs for that is one bean. */
@SpringBootApplication
public class Application {
    public static void main(String[] arguments) {
        SpringApplication.run(Application.class, arguments);
    }

    @Bean
    WebServerFactoryCustomizer<JettyServletWebServerFactory> dialsIn(
            @Value("${lrwp.proxy}") String proxy,
            @Value("${server.servlet.context-path}") String context,
            @Value("${lrwp.concurrency}") int concurrency) {
        var peer = LrwpPeer.builder().proxy(proxy).context(context).concurrency(concurrency);
        return factory ->
                factory.addServerCustomizers(server -> LrwpConnector.replace(server, peer));
    }
}
