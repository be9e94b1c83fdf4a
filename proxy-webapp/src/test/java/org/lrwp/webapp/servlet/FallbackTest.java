package org.lrwp.webapp.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lrwp.webapp.client.ErrorAnswer;
import org.lrwp.webapp.config.ErrorPages;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Set;

class FallbackTest {
    private static final ErrorAnswer.Asker ASKER = new ErrorAnswer.Asker(null, "id-1", "");

    private final ServletContext context = mock(ServletContext.class);
    private final Fallback fallback = new Fallback(context);
    private ClientFixture one;
    private String served = "";

    @BeforeEach
    void setUp(@TempDir Path folder) throws IOException, ServletException {
        one = new ClientFixture(folder);
        servlet("default");
        servlet("jsp");
        when(context.getResource("/index.html")).thenReturn(URI.create("file:/x").toURL());
        when(context.getResource("/d/index.jsp")).thenReturn(URI.create("file:/y").toURL());
        when(context.getResourcePaths(anyString())).thenReturn(Set.of());
        when(context.getResourcePaths("/d/")).thenReturn(Set.of("/d/index.jsp"));
    }

    @AfterEach
    void tearDown() {
        one.close();
    }

    private void servlet(String name) throws IOException, ServletException {
        var dispatcher = mock(RequestDispatcher.class);
        when(context.getNamedDispatcher(name)).thenReturn(dispatcher);
        doAnswer(
                        call -> {
                            HttpServletRequest request = call.getArgument(0);
                            served = name + " " + request.getServletPath();
                            assertNull(request.getPathInfo());
                            return null;
                        })
                .when(dispatcher)
                .forward(any(), any());
    }

    private void answer(String path) throws IOException, ServletException {
        fallback.answer(
                one.request, new FallbackResponse(one.response, ASKER, ErrorPages.NONE), path);
    }

    @Test
    void fileIsServedByTheDefaultServlet() throws Exception {
        answer("/a/b.txt");

        assertEquals("default /a/b.txt", served);
    }

    @Test
    void welcomeFileIsFound() throws Exception {
        answer("/");
        assertEquals("default /index.html", served);

        answer("/d/");
        assertEquals("jsp /d/index.jsp", served);
    }

    @Test
    void folderWithoutWelcomeFileIsLeftToTheDefaultServlet() throws Exception {
        answer("/e/");

        assertEquals("default /e/", served);
    }

    @Test
    void folderWithoutSlashIsRedirected() throws Exception {
        when(one.request.getRequestURI()).thenReturn("/app/d");
        when(one.request.getQueryString()).thenReturn("q");

        answer("/d");

        verify(one.response).setStatus(HttpServletResponse.SC_MOVED_PERMANENTLY);
        assertEquals("/app/d/?q", one.header("Location"));
    }

    @Test
    void jspIsServedByItsServlet() throws Exception {
        answer("/a.jsp");

        assertEquals("jsp /a.jsp", served);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/WEB-INF",
                "/web-inf/web.xml",
                "/META-INF/x",
                "/WEB-INF/a.jsp",
                "/a.jsp/",
                "/a.JSP",
                "/a.jspf",
                "/a.jsp "
            })
    void whatMustNotBeSeenIsNotFound(String path) throws Exception {
        answer(path);

        assertEquals("", served);
        assertEquals(404, one.status);
        assertTrue(one.out.text().startsWith("404 not-found"), one.out.text());
    }

    @Test
    void pathIsReadAsUtf8() throws Exception {
        answer("/\u00c3\u00a9.txt");

        assertEquals("default /\u00e9.txt", served);
    }

    @Test
    void optionsForTheServerAreAnswered() throws Exception {
        answer("*");

        assertTrue(String.valueOf(one.header("Allow")).contains("GET"));
    }

    @Test
    void containerWithoutTheServletIsAFault() {
        when(context.getNamedDispatcher("default")).thenReturn(null);

        assertThrows(ServletException.class, () -> answer("/x"));
    }

    @Test
    void errorsOfTheDefaultServletAreOurs() throws IOException {
        var response = new FallbackResponse(one.response, ASKER, ErrorPages.NONE);

        response.sendError(405, "container's words");
        assertEquals(405, one.status);
        assertTrue(one.out.text().contains("method-not-allowed"), one.out.text());

        response.sendError(304);
        assertEquals(304, one.status);
        response.sendError(412);
        assertEquals(412, one.status);
    }
}
