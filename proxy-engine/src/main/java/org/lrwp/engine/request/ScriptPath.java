package org.lrwp.engine.request;

import java.util.Objects;

/**
 * How the path of a request is cut for CGI.
 *
 * @param contextRoot root of the web application; empty for {@code /}
 * @param scriptName the part that named the context: the whole path for an extension context, empty
 *     for the root context
 * @param pathInfo the rest; empty or starts with {@code /}
 * @param extension whether an extension context was matched
 */
public record ScriptPath(
        String contextRoot, String scriptName, String pathInfo, boolean extension) {
    /** Checks that nothing is missing. */
    public ScriptPath {
        Objects.requireNonNull(contextRoot, "contextRoot");
        Objects.requireNonNull(scriptName, "scriptName");
        Objects.requireNonNull(pathInfo, "pathInfo");
    }

    /**
     * Returns the CGI variable.
     *
     * @return root and script name
     */
    String fullName() {
        return contextRoot + scriptName;
    }
}
