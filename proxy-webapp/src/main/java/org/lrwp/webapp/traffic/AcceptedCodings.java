package org.lrwp.webapp.traffic;

import org.jspecify.annotations.Nullable;
import org.lrwp.webapp.config.Coding;

import java.util.Collection;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a client takes, by its {@code Accept-Encoding}: RFC 9110 section 12.5.3. */
final class AcceptedCodings {
    private static final Pattern WEIGHT =
            Pattern.compile("q=(0(\\.[0-9]{0,3})?|1(\\.0{0,3})?)", Pattern.CASE_INSENSITIVE);
    private static final String ANY = "*";
    private static final String IDENTITY = "identity";

    private final Map<String, Double> weights = new HashMap<>();

    /** Reads a field; an item with a weight that is none says nothing. */
    AcceptedCodings(String field) {
        for (String item : field.toLowerCase(Locale.ROOT).split(",", -1)) {
            String[] parts = item.split(";", -1);
            String name = parts[0].strip();
            double weight = 1;
            if (parts.length > 1) {
                Matcher said = WEIGHT.matcher(parts[1].strip());
                weight = said.matches() ? Double.parseDouble(said.group(1)) : -1;
            }
            if (!name.isEmpty() && weight >= 0) {
                weights.putIfAbsent(name.equals("x-gzip") ? Coding.GZIP.token() : name, weight);
            }
        }
    }

    /** What the client likes best of some, the first of equals; null when it likes none of them. */
    @Nullable Coding best(Collection<Coding> offered) {
        Coding best = null;
        // What is not mentioned is taken, but behind all that is.
        double most = weights.containsKey(IDENTITY) ? weights.get(IDENTITY) : 0;
        for (Coding coding : offered) {
            double weight = weight(coding.token());
            boolean better = best == null ? weight >= most && weight > 0 : weight > most;
            if (better) {
                best = coding;
                most = weight;
            }
        }
        return best;
    }

    private double weight(String name) {
        Double own = weights.get(name);
        return own == null ? weights.getOrDefault(ANY, 0.0) : own;
    }
}
