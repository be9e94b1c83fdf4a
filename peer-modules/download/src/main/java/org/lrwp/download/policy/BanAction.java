package org.lrwp.download.policy;

/** What who is banned gets. */
public enum BanAction {
    /** 403 at once. */
    REFUSE,
    /** 403 after a wait. */
    TARPIT
}
