package org.lrwp.osp.testkit;

import org.lrwp.sdk.PeerRequest;
import org.lrwp.sdk.RequestHead;

import java.io.ByteArrayInputStream;
import java.util.HashMap;
import java.util.Map;

/** Requests as the proxy would bring them. */
public final class PostedMessage {
    private PostedMessage() {}

    /** A request of plain text. */
    public static PeerRequest of(String method, byte[] body) {
        return of(method, "text/plain", body);
    }

    /** A request. */
    public static PeerRequest of(String method, String contentType, byte[] body) {
        return of(method, contentType, "127.0.0.1", body);
    }

    /** A request from an address. */
    public static PeerRequest of(String method, String contentType, String address, byte[] body) {
        return of(method, contentType, address, Map.of(), body);
    }

    /** A request with further variables. */
    public static PeerRequest of(
            String method,
            String contentType,
            String address,
            Map<String, String> further,
            byte[] body) {
        Map<String, String> environment = new HashMap<>(further);
        environment.put("REMOTE_ADDR", address);
        environment.put("REQUEST_METHOD", method);
        environment.put("CONTENT_TYPE", contentType);
        environment.put("CONTENT_LENGTH", Integer.toString(body.length));
        return PeerRequest.of(RequestHead.of(environment), new ByteArrayInputStream(body));
    }
}
