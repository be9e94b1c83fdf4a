package org.lrwp.events.access;

/** What somebody wants to do with channels. */
public enum Action {
    /** Publish an event. */
    PUBLISH("POST"),
    /** Get events. */
    SUBSCRIBE("GET");

    private final String method;

    Action(String method) {
        this.method = method;
    }

    /**
     * Returns the HTTP method that does it, which signatures and questions name.
     *
     * @return a method
     */
    public String method() {
        return method;
    }
}
