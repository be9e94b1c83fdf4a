import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/**
 * An LRWP 1.0 peer in the manner of the 1990s: what comes in one read with the acknowledgement is
 * lost. Runs as a single file.
 */
public final class EchoPeer {
    private static final Charset LATIN = StandardCharsets.ISO_8859_1;

    private final String[] names = {"", "", "", ""};
    private int requests = 3;
    private int pauseMillis;
    private InputStream in;
    private OutputStream out;

    public static void main(String[] arguments) throws Exception {
        EchoPeer peer = new EchoPeer();
        if (!peer.parse(arguments)) {
            System.err.println("EchoPeer HOST PORT APP [VHOST] [--requests N] [--pause-ms N]");
            System.exit(2);
        }
        try {
            peer.run();
        } catch (IOException e) {
            System.err.println("EchoPeer: " + e.getMessage());
            System.exit(1);
        }
    }

    private boolean parse(String[] arguments) {
        int named = 0;
        for (int i = 0; i < arguments.length; i++) {
            if (arguments[i].equals("--requests") && i + 1 < arguments.length) {
                requests = Integer.parseInt(arguments[++i]);
            } else if (arguments[i].equals("--pause-ms") && i + 1 < arguments.length) {
                pauseMillis = Integer.parseInt(arguments[++i]);
            } else if (named < names.length && !arguments[i].startsWith("--")) {
                names[named++] = arguments[i];
            } else {
                return false;
            }
        }
        return named >= 3;
    }

    private void run() throws IOException, InterruptedException {
        try (Socket socket = new Socket(names[0], Integer.parseInt(names[1]))) {
            in = socket.getInputStream();
            out = socket.getOutputStream();
            attach();
            for (int served = 0; requests == 0 || served < requests; served++) {
                byte[] environment = readBlock();
                if (environment == null) {
                    return;
                }
                byte[] body = readBlock();
                if (body == null) {
                    throw new IOException("connection broken within a request");
                }
                answer(new String(environment, LATIN), body);
            }
        }
    }

    private void attach() throws IOException, InterruptedException {
        out.write((names[2] + "\u00ff" + names[3] + "\u00ff").getBytes(LATIN));
        Thread.sleep(pauseMillis);
        byte[] reply = new byte[1023];
        int count = in.read(reply);
        String text = new String(reply, 0, Math.max(0, count), LATIN);
        if (!text.startsWith("OK")) {
            throw new IOException(text);
        }
        System.out.println("registered");
    }

    private byte[] readBlock() throws IOException {
        byte[] digits = in.readNBytes(9);
        if (digits.length == 0) {
            return null;
        }
        String text = new String(digits, LATIN);
        if (!text.matches("[0-9]{9}")) {
            throw new IOException("bad length");
        }
        int length = Integer.parseInt(text);
        byte[] block = in.readNBytes(length);
        if (block.length < length) {
            throw new IOException("connection broken within a request");
        }
        return block;
    }

    private void answer(String environment, byte[] body) throws IOException {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        String head =
                "Content-Type: text/plain\r\nX-Peer: java\r\n\r\n"
                        + variable(environment, "REQUEST_METHOD")
                        + " "
                        + variable(environment, "PATH_INFO")
                        + " "
                        + variable(environment, "QUERY_STRING")
                        + "\n";
        output.write(head.getBytes(LATIN));
        output.write(body);
        out.write(String.format("%09d", output.size()).getBytes(LATIN));
        output.writeTo(out);
    }

    private static String variable(String environment, String name) {
        for (String entry : environment.split("\0")) {
            if (entry.startsWith(name + "=")) {
                return entry.substring(name.length() + 1);
            }
        }
        return "";
    }
}
