package org.lrwp.osp.message;

/** The names of components: both spellings are one name, and each question has its answer. */
public final class ComponentName {
    private static final String REQUEST = "Request";
    private static final String INDICATION = "Indication";

    private ComponentName() {}

    /**
     * Returns a name in the spelling with z.
     *
     * @param name for example {@code AuthorisationRequest}
     * @return for example {@code AuthorizationRequest}; any other name as it is
     */
    public static String canonical(String name) {
        return name.replace("uthorisation", "uthorization");
    }

    /**
     * Returns the name of the component that answers, in the spelling of the question.
     *
     * @param name for example {@code UsageIndication}
     * @return for example {@code UsageConfirmation}
     */
    public static String answerTo(String name) {
        if (name.endsWith(INDICATION)) {
            return name.substring(0, name.length() - INDICATION.length()) + "Confirmation";
        }
        if (name.endsWith(REQUEST)) {
            return name.substring(0, name.length() - REQUEST.length()) + "Response";
        }
        return name + "Response";
    }
}
