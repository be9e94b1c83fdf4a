package org.lrwp.webapp.servlet;

import jakarta.servlet.Servlet;
import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpServletRequest;

/** What the Servlet API cannot do. Thread-safe. */
public interface Container extends AutoCloseable {
    /** A container of which nothing is known: does what the Servlet API allows. */
    Container PLAIN = request -> new PlainLink();

    /**
     * Finds the client's connection.
     *
     * @param request a request, before it is asynchronous
     * @return its connection
     */
    ContainerLink linkOf(HttpServletRequest request);

    /**
     * Says whether the calling thread may wait for a disk or anything else.
     *
     * @return false on a thread that serves all connections
     */
    default boolean mayBlock() {
        return true;
    }

    /**
     * Adds the servlet that gets all requests of the application.
     *
     * @param application as given to a context listener while the application starts
     * @param name the servlet's name
     * @param servlet an asynchronous one
     */
    default void add(ServletContext application, String name, Servlet servlet) {
        var registration = application.addServlet(name, servlet);
        registration.addMapping("/*");
        registration.setAsyncSupported(true);
        registration.setLoadOnStartup(1);
    }

    /**
     * Says who wants to see the application's requests beside its servlet. To be asked when the
     * servlet was added.
     *
     * @return what it is, in a word or two; empty when there is nothing
     */
    default String observer() {
        return "the container is not known";
    }

    /**
     * Says whether a request is for another application.
     *
     * @param port of the listener that it came by
     * @param host its virtual host, in lower case without port
     * @param path its decoded path
     * @return whether the root of another application is above it
     */
    default boolean isOthers(int port, String host, String path) {
        return false;
    }

    /** Lets go of the container. */
    @Override
    default void close() {}
}
