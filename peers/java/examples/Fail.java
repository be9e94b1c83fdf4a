import org.lrwp.sdk.PeerResponse;

/** Fails in the ways that a handler can: the client gets 500, and the log says why. */
final class Fail {
    private static final String INJECTED = "a\r\nSet-Cookie: stolen=1";

    public static void main(String[] arguments) throws Exception {
        Options.peer(arguments, request -> answer(request.pathInfo())).connect().awaitClosed();
    }

    private static PeerResponse answer(String path) {
        PeerResponse fine = PeerResponse.text(200, "fine\n");
        return switch (path) {
            case "/value" -> fine.with("X-Value", INJECTED);
            case "/wide" -> fine.with("X-Value", "a\u010d\u010aSet-Cookie: stolen=1");
            case "/nul" -> fine.with("X-Value", "a\0b");
            case "/name" -> fine.with("X Value", "a");
            case "/type" -> PeerResponse.of(INJECTED, new byte[0]);
            case "/throw" -> throw new IllegalStateException("thrown by the handler");
            default -> fine;
        };
    }
}
