package org.lrwp.systemtests.harness;

import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A scrape of {@code /-/metrics}. */
public final class MetricsText {
    private static final Pattern VALUE =
            Pattern.compile("^([a-zA-Z_:][a-zA-Z0-9_:]*)(\\{[^}]*})? (\\S+)", Pattern.MULTILINE);

    private final String text;

    private MetricsText(String text) {
        this.text = text;
    }

    /** Scrapes a proxy. */
    public static MetricsText of(ProxyProcess proxy) throws IOException {
        try (RawHttp client = RawHttp.to(proxy.httpPort())) {
            HttpAnswer answer = client.get("/-/metrics");
            if (answer.status() != 200) {
                throw new IOException(answer.toString());
            }
            return new MetricsText(answer.text());
        }
    }

    /** The sum of a metric's values whose labels have all of these texts. */
    public double sum(String name, String... labels) {
        double sum = 0;
        Matcher values = VALUE.matcher(text);
        while (values.find()) {
            if (values.group(1).equals(name) && hasAll(String.valueOf(values.group(2)), labels)) {
                sum += Double.parseDouble(values.group(3));
            }
        }
        return sum;
    }

    private static boolean hasAll(String found, String... labels) {
        for (String label : labels) {
            if (!found.contains(label)) {
                return false;
            }
        }
        return true;
    }

    /** The names of all values. */
    public Set<String> names() {
        Set<String> names = new HashSet<>();
        Matcher values = VALUE.matcher(text);
        while (values.find()) {
            names.add(values.group(1));
        }
        return names;
    }

    @Override
    public String toString() {
        return text;
    }
}
