package org.lrwp.engine.request;

import java.util.Objects;

/**
 * How the path of a request is cut for CGI.
 *
 * @param contextRoot root of the web application; empty for {@code /}
 * @param path the path below the root
 * @param cut where the part ends that named the context: behind the whole path for an extension
 *     context, 0 for the root context. The rest is empty or starts with {@code /}
 * @param extension whether an extension context was matched
 */
public record ScriptPath(String contextRoot, String path, int cut, boolean extension) {
    /** Checks that nothing is missing. */
    public ScriptPath {
        Objects.requireNonNull(contextRoot, "contextRoot");
        Objects.checkIndex(cut, path.length() + 1);
    }

    /**
     * Returns the CGI variable PATH_INFO.
     *
     * @return the rest of the path; empty or starts with {@code /}
     */
    public String pathInfo() {
        return path.substring(cut);
    }

    /**
     * Returns the CGI variable SCRIPT_NAME.
     *
     * @return root and script name
     */
    String fullName() {
        return contextRoot + path.substring(0, cut);
    }
}
