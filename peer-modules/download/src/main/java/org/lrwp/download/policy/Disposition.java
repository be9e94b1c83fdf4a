package org.lrwp.download.policy;

/** Content-Disposition of files. */
public enum Disposition {
    /** None. */
    OFF,
    /** Shown by the browser, with a name to save it under. */
    INLINE,
    /** Saved. */
    ATTACHMENT;

    /**
     * Returns the word for the header.
     *
     * @return empty for none
     */
    public String word() {
        return switch (this) {
            case OFF -> "";
            case INLINE -> "inline";
            case ATTACHMENT -> "attachment";
        };
    }
}
