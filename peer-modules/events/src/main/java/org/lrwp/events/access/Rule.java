package org.lrwp.events.access;

import org.lrwp.runtime.configuration.ValueType;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** One way to be allowed; of several, any is enough. */
public enum Rule {
    /** Everybody is. */
    ANYONE,
    /** Whoever connects from this machine, without a proxy in front of the proxy. */
    LOOPBACK,
    /** Whoever shows the shared secret: {@code Authorization: Bearer SECRET}. */
    SECRET,
    /** Whoever has a URL that was signed for it and is still good. */
    SIGNED,
    /** Whoever another server allows. */
    ASK;

    /** Rules as they are set: their names in lower case, separated by commas. */
    public static final ValueType<Set<Rule>> TYPE =
            new ValueType<>(
                    "some of anyone, loopback, secret, signed, ask, separated by commas",
                    Rule::parse);

    private static Set<Rule> parse(String text) {
        Set<Rule> rules = EnumSet.noneOf(Rule.class);
        for (String word : text.split(",", -1)) {
            String name = word.strip();
            if (!name.isEmpty()) {
                Rule rule = valueOf(name.toUpperCase(Locale.ROOT));
                if (!name.equals(rule.name().toLowerCase(Locale.ROOT))) {
                    throw new IllegalArgumentException(name);
                }
                rules.add(rule);
            }
        }
        return Set.copyOf(rules);
    }
}
