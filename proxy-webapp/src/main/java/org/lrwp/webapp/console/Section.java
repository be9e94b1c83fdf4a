package org.lrwp.webapp.console;

import java.util.Locale;

/** A part of the page that has a title. */
enum Section {
    TRAFFIC("The last hour"),
    CONTEXTS("Contexts"),
    PEERS("Peers"),
    REQUESTS("Requests in flight"),
    ERRORS("Last errors"),
    CACHE("Response cache"),
    CLUSTER("Cluster"),
    INSPECTOR("Inspector"),
    CONFIGURATION("Configuration");

    private final String title;

    Section(String title) {
        this.title = title;
    }

    String title() {
        return title;
    }

    /** Its anchor. */
    String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether its contents change by themselves. */
    boolean isLive() {
        return this != INSPECTOR && this != CONFIGURATION;
    }
}
