package org.lrwp.jetty;

import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.http.MetaData;
import org.eclipse.jetty.util.HostPort;
import org.jspecify.annotations.Nullable;
import org.lrwp.sdk.RequestHead;

import java.util.Map;
import java.util.Set;

/** Makes Jetty's head of a request from an env block. */
final class RequestMetaData {
    private static final String PREFIX = "HTTP_";
    private static final Set<String> WITH_BODY = Set.of("POST", "PUT", "PATCH");

    private RequestMetaData() {}

    /**
     * Returns the head.
     *
     * @throws IllegalArgumentException when the path or the host is none
     */
    static MetaData.Request of(RequestHead head) {
        Map<String, String> environment = head.environment();
        HttpVersion version = HttpVersion.CACHE.get(environment.get("SERVER_PROTOCOL"));
        long length = head.bodyLength();
        return new MetaData.Request(
                head.method(),
                uri(environment),
                version == null ? HttpVersion.HTTP_1_1 : version,
                fields(environment, length, WITH_BODY.contains(head.method())),
                length);
    }

    private static HttpURI uri(Map<String, String> environment) {
        HttpURI.Mutable uri = HttpURI.build();
        uri.scheme("on".equals(environment.get("HTTPS")) ? "https" : "http");
        String host = environment.get("HTTP_HOST");
        if (host == null || host.isEmpty()) {
            uri.host(environment.getOrDefault("SERVER_NAME", ""));
            int port = port(environment.get("SERVER_PORT"));
            uri.port(port == 0 ? -1 : port);
        } else {
            HostPort authority = new HostPort(host);
            uri.host(authority.getHost());
            uri.port(authority.getPort(-1));
        }
        return uri.pathQuery(environment.getOrDefault("REQUEST_URI", "/")).asImmutable();
    }

    /** Returns the number of a port; 0 when there is none. */
    static int port(@Nullable String text) {
        try {
            return text == null ? 0 : Integer.parseInt(text);
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    private static HttpFields fields(
            Map<String, String> environment, long length, boolean withBody) {
        HttpFields.Mutable fields = HttpFields.build();
        environment.forEach(
                (name, value) -> {
                    if (name.startsWith(PREFIX) && !name.equals("HTTP_CONTENT_LENGTH")) {
                        fields.add(field(name.substring(PREFIX.length()), value));
                    }
                });
        String type = environment.get("CONTENT_TYPE");
        if (type != null && !type.isEmpty()) {
            fields.add(HttpHeader.CONTENT_TYPE, type);
        }
        if (length > 0 || (length == 0 && withBody)) {
            fields.add(HttpHeader.CONTENT_LENGTH, length);
        }
        return fields.asImmutable();
    }

    private static HttpField field(String variable, String value) {
        String name = variable.replace('_', '-');
        HttpHeader known = HttpHeader.CACHE.get(name);
        return known == null ? new HttpField(spelled(name), value) : new HttpField(known, value);
    }

    /** {@code X-ONE} as it is usually written: {@code X-One}. */
    private static String spelled(String name) {
        StringBuilder text = new StringBuilder(name.length());
        boolean first = true;
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            text.append(first ? c : Character.toLowerCase(c));
            first = c == '-';
        }
        return text.toString();
    }
}
