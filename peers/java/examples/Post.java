import org.lrwp.sdk.PeerRequest;
import org.lrwp.sdk.PeerResponse;

import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Takes an XML message by POST, as an OSP server does, and answers a small one with the same ids.
 */
final class Post {
    private static final Pattern REQUEST =
            Pattern.compile(
                    "<Message [^>]*messageId=\"([\\w.-]{1,40})\".*"
                            + "<AuthorizationRequest [^>]*componentId=\"([\\w.-]{1,40})\"",
                    Pattern.DOTALL);

    public static void main(String[] arguments) throws Exception {
        Options.peer(arguments, Post::answer).connect().awaitClosed();
    }

    private static PeerResponse answer(PeerRequest request) throws Exception {
        if (!request.method().equals("POST")) {
            return PeerResponse.text(405, "POST only\n").with("Allow", "POST");
        }
        String xml = new String(request.body().readNBytes(100_000), StandardCharsets.UTF_8);
        Matcher ids = REQUEST.matcher(xml);
        if (!ids.find()) {
            return PeerResponse.text(400, "no AuthorizationRequest\n");
        }
        String answer =
                """
                <?xml version="1.0"?>
                <Message messageId="%s"><AuthorizationResponse componentId="%s">\
                <Status><Code>200</Code></Status></AuthorizationResponse></Message>
                """
                        .formatted(ids.group(1), ids.group(2));
        return PeerResponse.of("text/xml", answer.getBytes(StandardCharsets.UTF_8));
    }
}
