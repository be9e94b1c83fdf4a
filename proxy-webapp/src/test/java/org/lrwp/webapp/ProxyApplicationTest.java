package org.lrwp.webapp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import jakarta.servlet.Servlet;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletRegistration;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.lrwp.webapp.config.ConfigReader;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;

class ProxyApplicationTest {
    private final ServletContext context = mock(ServletContext.class);
    private final ServletRegistration.Dynamic registration =
            mock(ServletRegistration.Dynamic.class);
    private final ProxyApplication application = new ProxyApplication();

    @AfterEach
    void forget() {
        System.clearProperty("lrwp.agent.port");
        System.clearProperty("lrwp.access-log.file");
        System.clearProperty("lrwp.agent.tls.certificate");
        System.clearProperty("lrwp.agent.tls.key");
        System.clearProperty("lrwp.agent.tls.trust");
    }

    private void start() {
        when(context.addServlet(anyString(), any(Servlet.class))).thenReturn(registration);
        when(context.getContextPath()).thenReturn("");
        application.contextInitialized(new ServletContextEvent(context));
    }

    private static int freePort() throws Exception {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @Test
    void startOpensThePortAndStopFreesIt() throws Exception {
        int port = freePort();
        System.setProperty("lrwp.agent.port", Integer.toString(port));

        start();
        verify(registration).addMapping("/*");
        verify(registration).setAsyncSupported(true);
        new Socket(InetAddress.getLoopbackAddress(), port).close();
        application.contextDestroyed(new ServletContextEvent(context));

        try (var socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            assertEquals(port, socket.getLocalPort());
        }
    }

    @Test
    void portThatIsTakenIsToldInOneSentence() throws Exception {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            System.setProperty("lrwp.agent.port", Integer.toString(socket.getLocalPort()));

            String message =
                    String.valueOf(assertThrows(StartException.class, this::start).getMessage());

            assertTrue(message.contains("port " + socket.getLocalPort()), message);
            assertTrue(message.contains("agent.port"), message);
        }
    }

    @Test
    void copyThatDoesNotStartEndsTheOneThatRuns() throws Exception {
        int port = freePort();
        System.setProperty("lrwp.agent.port", Integer.toString(port));
        start();

        assertThrows(
                StartException.class,
                () -> new ProxyApplication().contextInitialized(new ServletContextEvent(context)));

        try (var socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            assertEquals(port, socket.getLocalPort());
        }
        application.contextDestroyed(new ServletContextEvent(context));
    }

    @Test
    void containerThatRefusesTheServletLeavesThePortFree() throws Exception {
        int port = freePort();
        System.setProperty("lrwp.agent.port", Integer.toString(port));
        when(context.getContextPath()).thenReturn("");
        when(context.addServlet(anyString(), any(Servlet.class)))
                .thenThrow(new NoClassDefFoundError("what/it/needs"));

        var failure =
                assertThrows(
                        StartException.class,
                        () -> application.contextInitialized(new ServletContextEvent(context)));

        assertTrue(String.valueOf(failure.getMessage()).contains("what/it/needs"));
        try (var socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            assertEquals(port, socket.getLocalPort());
        }
    }

    @Test
    void badConfigurationIsToldInOneSentence() {
        System.setProperty("lrwp.agent.port", "many");

        String message =
                String.valueOf(assertThrows(StartException.class, this::start).getMessage());

        assertTrue(message.startsWith("The configuration has a fault: agent.port = many"), message);
    }

    @Test
    void aFileOfTlsThatIsMissingIsToldWithItsKey() {
        System.setProperty("lrwp.agent.port", "0");
        System.setProperty("lrwp.agent.tls.certificate", "nope.pem");
        System.setProperty("lrwp.agent.tls.key", "nope.key");
        System.setProperty("lrwp.agent.tls.trust", "nope");

        String message =
                String.valueOf(assertThrows(StartException.class, this::start).getMessage());

        assertEquals(
                "Peers cannot dial in inside TLS: agent.tls.certificate = nope.pem: does not exist",
                message);
    }

    @Test
    void accessLogThatCannotBeWrittenIsTold() {
        System.setProperty("lrwp.agent.port", "0");
        System.setProperty("lrwp.access-log.file", "/no/such/folder/access.log");

        String message =
                String.valueOf(assertThrows(StartException.class, this::start).getMessage());

        assertEquals(
                "The access log cannot be written: access-log.file = /no/such/folder/access.log:"
                        + " the folder /no/such/folder does not exist",
                message);
    }

    @Test
    void tooFewDescriptorsAreNoticed() throws Exception {
        var config = ConfigReader.read(Map.of(), Map.of(), null, "1").engine();

        assertTrue(Descriptors.warn(1024, config));
        assertFalse(Descriptors.warn(1 << 20, config));
        Descriptors.check(config);
    }

    @Test
    void versionIsThatOfTheBuild() {
        assertNotNull(Version.read());
        assertFalse(Version.read().contains("$"), Version.read());
    }
}
