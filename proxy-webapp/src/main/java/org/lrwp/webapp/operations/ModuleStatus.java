package org.lrwp.webapp.operations;

import org.lrwp.runtime.module.Figure;

import java.util.List;
import java.util.Objects;

/**
 * A picture of one module in the proxy; what it has in common with other peers is among the peers.
 *
 * @param name its name in the configuration
 * @param type its kind
 * @param contexts what it serves
 * @param adminPort its admin port on the loopback address, -1 when it has none
 * @param refusal why its configuration file as it is now is not in use; empty when it is
 * @param figures what it counts
 */
public record ModuleStatus(
        String name,
        String type,
        List<String> contexts,
        int adminPort,
        String refusal,
        List<Figure> figures) {
    /** Checks and copies. */
    public ModuleStatus {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(refusal, "refusal");
        contexts = List.copyOf(contexts);
        figures = List.copyOf(figures);
    }
}
