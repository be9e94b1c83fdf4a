package org.lrwp.webapp.config;

/**
 * What the inspector keeps of the requests of one context.
 *
 * @param requests how many, the last; 0 = none
 * @param bodyBytes of the beginning of each body
 */
public record InspectRules(int requests, int bodyBytes) {
    /** Nothing is kept. */
    public static final InspectRules NONE = new InspectRules(0, 0);

    /** Checks all values. */
    public InspectRules {
        if (requests < 0 || bodyBytes < 0) {
            throw new IllegalArgumentException("requests " + requests + ", bytes " + bodyBytes);
        }
    }

    /**
     * Says whether anything is kept.
     *
     * @return whether requests are inspected
     */
    public boolean isOn() {
        return requests > 0;
    }
}
