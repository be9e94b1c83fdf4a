package org.lrwp.runtime.operation;

import org.jspecify.annotations.Nullable;
import org.lrwp.runtime.configuration.BadConfigurationException;
import org.lrwp.runtime.configuration.Configuration;
import org.lrwp.runtime.configuration.Entry;
import org.lrwp.runtime.configuration.Origin;
import org.lrwp.runtime.json.FlatJson;
import org.lrwp.runtime.json.Json;
import org.lrwp.runtime.module.Action;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The runtime API of a program, as {@code openapi.json} beside this class describes it: status,
 * values and actions. Whoever calls it has found out who may. Any thread; an action may block.
 */
final class ProgramApi {
    /** What its paths begin with. */
    static final String HEAD = "/-/api/v1/";

    static final String JSON = "application/json";
    private static final String PROBLEM = "application/problem+json";
    private static final String VALUES = "configuration";
    private static final String VALUE = "configuration/";
    private static final String ACTION = "actions/";

    private final Operated subject;
    private final String description;

    /**
     * An answer.
     *
     * @param status HTTP status
     * @param type of the text
     * @param text the body
     */
    record Answer(int status, String type, String text) {
        /** An answer that is JSON. */
        static Answer json(String text) {
            return new Answer(200, JSON, text + "\n");
        }

        /** An error with a sentence. */
        static Answer problem(int status, String detail) {
            return new Answer(status, PROBLEM, ValueJson.problem(status, detail) + "\n");
        }
    }

    /** What can be done. */
    enum Kind {
        SET,
        SET_ALL,
        UNSET,
        ACT
    }

    /**
     * A command.
     *
     * @param kind what is to be done
     * @param name of the value or action; empty for several values
     */
    record Command(Kind kind, String name) {
        /** Finds a command; null when there is none. */
        static @Nullable Command of(String method, String path) {
            if (method.equals("PUT") && path.equals(VALUES)) {
                return new Command(Kind.SET_ALL, "");
            }
            Kind kind =
                    switch (method) {
                        case "PUT" -> Kind.SET;
                        case "DELETE" -> Kind.UNSET;
                        case "POST" -> Kind.ACT;
                        default -> null;
                    };
            String head = kind == Kind.ACT ? ACTION : VALUE;
            return kind != null && path.startsWith(head) && path.length() > head.length()
                    ? new Command(kind, path.substring(head.length()))
                    : null;
        }
    }

    ProgramApi(Operated subject) {
        this.subject = subject;
        this.description = resource();
    }

    private static String resource() {
        try (InputStream in = ProgramApi.class.getResourceAsStream("openapi.json")) {
            return new String(
                    Objects.requireNonNull(in, "openapi.json is missing").readAllBytes(),
                    StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Answers a request that looks. */
    Answer look(String path) {
        return switch (path) {
            case "status" -> Answer.json(status());
            case "report" -> Answer.json(report());
            case "actions" -> Answer.json(actions());
            case VALUES -> Answer.json(ValueJson.values(entries()));
            case "openapi.json" -> new Answer(200, JSON, description);
            default ->
                    path.startsWith(VALUE) ? value(path.substring(VALUE.length())) : missing(path);
        };
    }

    private Answer value(String key) {
        Entry entry = entry(key);
        return entry == null
                ? Answer.problem(404, "There is no key " + key + ".")
                : Answer.json(ValueJson.value(entry));
    }

    static Answer missing(String path) {
        return Answer.problem(404, "There is no " + path + " in this API.");
    }

    private List<Entry> entries() {
        return subject.configuration().values().entries();
    }

    private @Nullable Entry entry(String name) {
        return entries().stream().filter(one -> one.name().equals(name)).findFirst().orElse(null);
    }

    private String status() {
        return Json.object(
                json -> {
                    json.writeStringField("name", subject.name());
                    json.writeStringField("type", subject.type());
                    json.writeStringField("refusal", subject.configuration().refusal());
                    Json.texts(json, "waiting", subject.configuration().waiting());
                    ValueJson.figures(json, subject.figures());
                });
    }

    private String report() {
        return Json.object(json -> Json.texts(json, "lines", subject.report()));
    }

    private String actions() {
        return Json.object(
                json -> {
                    json.writeArrayFieldStart("actions");
                    for (Action action : subject.actions()) {
                        json.writeStartObject();
                        json.writeStringField("name", action.name());
                        json.writeStringField("meaning", action.meaning());
                        json.writeEndObject();
                    }
                    json.writeEndArray();
                });
    }

    /** Does what somebody asks for who may. */
    Answer act(Command command, byte[] body, Origin origin) {
        try {
            return switch (command.kind()) {
                case SET -> {
                    String value = FlatJson.read(body, Set.of("value")).get("value");
                    yield value == null
                            ? Answer.problem(400, "value is missing.")
                            : set(Map.of(command.name(), value), VALUE + command.name(), origin);
                }
                case SET_ALL -> set(FlatJson.read(body), VALUES, origin);
                case UNSET -> unset(command.name(), origin);
                case ACT -> perform(command.name());
            };
        } catch (IOException | BadConfigurationException e) {
            return Answer.problem(400, String.valueOf(e.getMessage()));
        }
    }

    private Answer set(Map<String, String> texts, String path, Origin origin)
            throws BadConfigurationException {
        subject.configuration().set(texts, origin);
        return look(path);
    }

    private Answer unset(String name, Origin origin) throws BadConfigurationException {
        Configuration configuration = subject.configuration();
        configuration.reset(name, origin);
        return Answer.json(ValueJson.done(name + " has the value of the start again."));
    }

    private Answer perform(String name) {
        for (Action action : subject.actions()) {
            if (action.name().equals(name)) {
                try {
                    return Answer.json(ValueJson.done(action.work().perform()));
                } catch (IOException e) {
                    return Answer.problem(409, String.valueOf(e.getMessage()));
                }
            }
        }
        return Answer.problem(404, "There is no action " + name + ".");
    }
}
