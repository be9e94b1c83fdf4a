package org.lrwp.webapp.operations;

import org.lrwp.runtime.module.Figure;

import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * A picture of one module in the proxy; what it has in common with other peers is among the peers.
 *
 * @param name its name in the configuration
 * @param type its kind
 * @param contexts what it serves
 * @param state whether it runs
 * @param adminPort its admin port on the loopback address, -1 when it has none
 * @param refusal why it does not run, or what is set as it is now is not in use; empty when it is
 * @param figures what it counts
 */
public record ModuleStatus(
        String name,
        String type,
        List<String> contexts,
        State state,
        int adminPort,
        String refusal,
        List<Figure> figures) {
    /** Whether a module runs. */
    public enum State {
        /** It gets requests. */
        RUNNING,
        /** It answers its last ones. */
        DRAINING,
        /** It has ended. */
        STOPPED,
        /** It could not be opened. */
        FAILED;

        /**
         * Returns it as status and API write it.
         *
         * @return in lower case
         */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Checks and copies. */
    public ModuleStatus {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(state, "state");
        Objects.requireNonNull(refusal, "refusal");
        contexts = List.copyOf(contexts);
        figures = List.copyOf(figures);
    }
}
