package org.lrwp.webapp.steering;

import org.lrwp.engine.EngineCommands;
import org.lrwp.engine.audit.AuditActor;
import org.lrwp.engine.audit.AuditEvent;
import org.lrwp.engine.audit.AuditTrail;
import org.lrwp.engine.context.Pause;
import org.lrwp.engine.exchange.Failure;
import org.lrwp.engine.peer.PeerWeight;
import org.lrwp.engine.peer.ServedContext;
import org.lrwp.runtime.configuration.BadConfigurationException;
import org.lrwp.runtime.configuration.Configuration;
import org.lrwp.runtime.configuration.Origin;
import org.lrwp.webapp.inspector.Repeats;

import java.util.Map;

/**
 * The commands of an operator, for whoever lets him in. Each says in one sentence what became of
 * it. Any thread; a change of the configuration waits for another one, the others never.
 */
public final class Steering {
    /** Characters of the text of a paused context. */
    private static final int LONGEST_TEXT = 500;

    private static final int LONGEST_RETRY = 86_400;

    private final EngineCommands engine;
    private final Configuration configuration;
    private final AuditTrail audit;
    private final Repeats repeats;
    private final ClusterSteering cluster;

    /**
     * Creates the commands.
     *
     * @param engine what they do to the engine
     * @param configuration what they change
     * @param audit told by whom
     * @param repeats sends requests of the inspector once more
     * @param cluster the commands for nodes, and for peers of all nodes
     */
    public Steering(
            EngineCommands engine,
            Configuration configuration,
            AuditTrail audit,
            Repeats repeats,
            ClusterSteering cluster) {
        this.cluster = cluster;
        this.repeats = repeats;
        this.audit = audit;
        this.engine = engine;
        this.configuration = configuration;
    }

    /**
     * Returns the commands for nodes, and for peers of all nodes.
     *
     * @return always the same
     */
    public ClusterSteering cluster() {
        return cluster;
    }

    /**
     * Has a peer take no more requests; its connection closes after its last answer.
     *
     * @param peer name of the connection
     * @param operator who wants it
     * @return what became of it
     */
    public SteeringOutcome drain(String peer, AuditActor operator) {
        return engine.drain(peer, operator)
                ? SteeringOutcome.done("The peer " + peer + " takes no more requests.")
                : noPeer(peer);
    }

    /**
     * Sets how much a peer gets beside others, for as long as its connection lives.
     *
     * @param peer name of the connection
     * @param value the weight
     * @param operator who wants it
     * @return what became of it
     */
    public SteeringOutcome weigh(String peer, String value, AuditActor operator) {
        if (!value.matches("[0-9]{1,4}") || Integer.parseInt(value) > PeerWeight.MOST) {
            return new SteeringOutcome(
                    400, "weight = " + value + ": a number, 0 to " + PeerWeight.MOST + ".");
        }
        return engine.weigh(peer, Integer.parseInt(value), operator)
                ? SteeringOutcome.done("The peer " + peer + " has the weight " + value + ".")
                : noPeer(peer);
    }

    /**
     * Closes the connection of a peer at once.
     *
     * @param peer name of the connection
     * @param operator who wants it
     * @return what became of it
     */
    public SteeringOutcome disconnect(String peer, AuditActor operator) {
        return engine.disconnect(peer, operator)
                ? SteeringOutcome.done("The connection of " + peer + " is closed.")
                : noPeer(peer);
    }

    private static SteeringOutcome noPeer(String peer) {
        return new SteeringOutcome(404, "There is no peer " + peer + ".");
    }

    /**
     * Ends a request.
     *
     * @param id the request id
     * @param operator who wants it
     * @return what became of it
     */
    public SteeringOutcome cancel(String id, AuditActor operator) {
        return engine.cancel(id, operator) > 0
                ? SteeringOutcome.done("The request " + id + " is cancelled.")
                : new SteeringOutcome(404, "There is no request " + id + " in flight.");
    }

    /**
     * Sends a request that the inspector keeps once more.
     *
     * @param id the request id
     * @param operator who wants it
     * @return what became of it
     */
    public SteeringOutcome repeat(String id, AuditActor operator) {
        Repeats.Result result = repeats.repeat(id);
        if (result.id().isEmpty()) {
            return new SteeringOutcome(result.isKnown() ? 409 : 404, result.sentence());
        }
        audit.record(AuditEvent.done(AuditEvent.Action.REPEAT, operator, id, "as=" + result.id()));
        return SteeringOutcome.done(
                "The request " + id + " is sent again as " + result.id() + "." + result.sentence());
    }

    /**
     * Has requests of a context refused.
     *
     * @param context which one
     * @param text what clients are told; empty for the usual sentence
     * @param retryAfter value of Retry-After in seconds; empty for the usual one
     * @param operator who wants it
     * @return what became of it
     */
    public SteeringOutcome pause(
            ServedContext context, String text, String retryAfter, AuditActor operator) {
        int seconds;
        try {
            seconds =
                    retryAfter.isEmpty()
                            ? Failure.PAUSED.retryAfterSeconds()
                            : Integer.parseInt(retryAfter);
        } catch (NumberFormatException e) {
            seconds = -1;
        }
        if (seconds < 0 || seconds > LONGEST_RETRY) {
            return new SteeringOutcome(
                    400, "retryAfter = " + retryAfter + ": a number of seconds, 0 to 86400.");
        }
        if (text.length() > LONGEST_TEXT || text.chars().anyMatch(Character::isISOControl)) {
            return new SteeringOutcome(
                    400, "text: at most 500 characters, without control characters.");
        }
        var pause = new Pause(text.isEmpty() ? Failure.PAUSED.sentence() : text, seconds);
        return engine.pause(context, pause, operator)
                ? SteeringOutcome.done("The context " + name(context) + " is paused.")
                : noContext(context);
    }

    /**
     * Has requests of a context taken again.
     *
     * @param context which one
     * @param operator who wants it
     * @return what became of it
     */
    public SteeringOutcome resume(ServedContext context, AuditActor operator) {
        return engine.resume(context, operator)
                ? SteeringOutcome.done("The context " + name(context) + " takes requests.")
                : noContext(context);
    }

    private static SteeringOutcome noContext(ServedContext context) {
        return new SteeringOutcome(404, "There is no context " + name(context) + ".");
    }

    private static String name(ServedContext context) {
        return context.virtualHost() + context.context();
    }

    /**
     * Sets values until the next start: all of them or none.
     *
     * @param values texts by the names of keys that take effect at once
     * @param operator who wants it
     * @return what became of it
     */
    public SteeringOutcome set(Map<String, String> values, AuditActor operator) {
        try {
            configuration.set(values, origin(operator));
            return SteeringOutcome.done(
                    String.join(", ", values.keySet()) + ": set until the next start.");
        } catch (BadConfigurationException e) {
            return new SteeringOutcome(400, String.valueOf(e.getMessage()));
        }
    }

    /**
     * Takes back what was set.
     *
     * @param name of a key
     * @param operator who wants it
     * @return what became of it
     */
    public SteeringOutcome unset(String name, AuditActor operator) {
        try {
            configuration.reset(name, origin(operator));
            return SteeringOutcome.done(name + " has the value of the start again.");
        } catch (BadConfigurationException e) {
            return new SteeringOutcome(400, String.valueOf(e.getMessage()));
        }
    }

    /** Whoever takes down the changes of the configuration finds there who it was. */
    private static Origin origin(AuditActor operator) {
        return new Origin(
                Origin.Kind.HTTP,
                operator.address(),
                new Origin.Proof(operator.identity(), operator.certificate()));
    }

    /**
     * Removes answers from the response cache.
     *
     * @param prefix {@code host:port/path}; empty for all
     * @param operator who wants it
     * @return what became of it
     */
    public SteeringOutcome purge(String prefix, AuditActor operator) {
        return engine.purge(prefix, operator)
                ? SteeringOutcome.done("Answers are being removed from the cache.")
                : new SteeringOutcome(404, "There is no response cache.");
    }
}
