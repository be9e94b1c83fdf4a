package org.lrwp.webapp.console;

import org.jspecify.annotations.Nullable;
import org.lrwp.engine.audit.AuditActor;
import org.lrwp.engine.peer.ServedContext;
import org.lrwp.webapp.steering.ClusterSteering;
import org.lrwp.webapp.steering.Steering;
import org.lrwp.webapp.steering.SteeringOutcome;

import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** What an operator may have done: the forms of the page by their names. */
final class Commands {
    private final Steering steering;

    Commands(Steering steering) {
        this.steering = steering;
    }

    /** Does what a form says, maybe with other nodes; null for a form that is no command. */
    @Nullable CompletableFuture<SteeringOutcome> run(String name, Form form, AuditActor operator) {
        String subject = form.get("subject");
        ClusterSteering cluster = steering.cluster();
        return switch (name) {
            case "drain-node" -> cluster.drainNode(subject, operator);
            case "resume-node" -> cluster.resumeNode(subject, operator);
            case "drain-peers" -> cluster.drainPeers(subject, operator);
            case "resume-peers" -> cluster.resumePeers(subject, operator);
            default -> {
                SteeringOutcome outcome = here(name, form, operator);
                yield outcome == null ? null : CompletableFuture.completedFuture(outcome);
            }
        };
    }

    private @Nullable SteeringOutcome here(String name, Form form, AuditActor operator) {
        String subject = form.get("subject");
        var context = new ServedContext(form.get("context"), form.get("virtualHost"));
        return switch (name) {
            case "drain" -> steering.drain(subject, operator);
            case "disconnect" -> steering.disconnect(subject, operator);
            case "weigh" -> steering.weigh(subject, form.get("value"), operator);
            case "cancel" -> steering.cancel(subject, operator);
            case "repeat" -> steering.repeat(subject, operator);
            case "pause" ->
                    steering.pause(context, form.get("text"), form.get("retryAfter"), operator);
            case "resume" -> steering.resume(context, operator);
            case "set" -> steering.set(Map.of(subject, form.get("value")), operator);
            case "unset" -> steering.unset(subject, operator);
            case "purge" -> steering.purge(form.get("prefix"), operator);
            default -> null;
        };
    }
}
