package org.lrwp.webapp.servlet;

import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.Mockito.when;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Gives a mocked request a head. */
final class FakeRequest {
    private final Map<String, List<String>> headers = new LinkedHashMap<>();

    private FakeRequest() {}

    static FakeRequest of(HttpServletRequest request, String method, String path, String query) {
        var fake = new FakeRequest();
        when(request.getMethod()).thenReturn(method);
        when(request.getRequestURI()).thenReturn(path);
        when(request.getQueryString()).thenReturn(query.isEmpty() ? null : query);
        when(request.getProtocol()).thenReturn("HTTP/1.1");
        when(request.getRemoteAddr()).thenReturn("127.0.0.1");
        when(request.getRemotePort()).thenReturn(4000);
        when(request.getLocalAddr()).thenReturn("127.0.0.1");
        when(request.getLocalPort()).thenReturn(8080);
        when(request.getContextPath()).thenReturn("");
        when(request.getDispatcherType()).thenReturn(DispatcherType.REQUEST);
        when(request.getHeaderNames())
                .thenAnswer(call -> Collections.enumeration(fake.headers.keySet()));
        when(request.getHeaders(anyString()))
                .thenAnswer(call -> Collections.enumeration(fake.values(call.getArgument(0))));
        when(request.getHeader(anyString()))
                .thenAnswer(
                        call -> fake.values(call.getArgument(0)).stream().findFirst().orElse(null));
        return fake.with("Host", "localhost");
    }

    /** Another host than the usual one. */
    FakeRequest at(String host) {
        headers.remove("Host");
        return with("Host", host);
    }

    FakeRequest with(String name, String value) {
        headers.computeIfAbsent(name, key -> new ArrayList<>()).add(value);
        return this;
    }

    private List<String> values(String name) {
        List<String> found = new ArrayList<>();
        headers.forEach(
                (key, values) -> {
                    if (key.toLowerCase(Locale.ROOT).equals(name.toLowerCase(Locale.ROOT))) {
                        found.addAll(values);
                    }
                });
        return found;
    }
}
