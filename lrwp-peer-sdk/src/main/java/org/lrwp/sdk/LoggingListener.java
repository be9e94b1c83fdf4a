package org.lrwp.sdk;

import org.lrwp.protocol.ProtocolVersion;
import org.lrwp.protocol.Refusal;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.SocketAddress;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Writes events as log lines, event name first; a fault that lasts is written once. */
final class LoggingListener implements PeerListener {
    private record Place(SocketAddress address, String context, int number) {
        Place(PeerLink link) {
            this(link.address(), link.context(), link.number());
        }
    }

    private record Version(Place place, ProtocolVersion version) {}

    /** Of the refusals that a configuration mends; peers/README.md. */
    private static final Map<String, String> REMEDIES =
            Map.of(
                    Refusal.NOT_PERMITTED.text(),
                    "the context is another identity's, or outside the scope of this one",
                    Refusal.IDENTITY_REQUIRED.text(),
                    "set an identity and its key",
                    Refusal.UNAUTHORIZED_ACCESS.text(),
                    "the identity may not come from this address",
                    Refusal.INCORRECT_RESPONSE.text(),
                    "the proxy has another secret or key");

    private final Logger log;
    private final Set<Place> down = ConcurrentHashMap.newKeySet();
    private final Set<ProxyAddress> unresolved = ConcurrentHashMap.newKeySet();
    private final Set<Version> versions = ConcurrentHashMap.newKeySet();

    LoggingListener(Logger log) {
        this.log = log;
    }

    @Override
    public void onEvent(PeerEvent event) {
        if (event instanceof PeerEvent.Registered now) {
            down.remove(new Place(now.link()));
            unresolved.clear();
            log.log(Level.INFO, "registered " + now.link());
        } else if (event instanceof PeerEvent.Unregistered now) {
            log.log(Level.INFO, "unregistered " + now.link());
        } else if (event instanceof PeerEvent.Draining now) {
            // The proxy said that it goes: that it cannot be reached then is no news.
            down.add(new Place(now.link()));
            log.log(Level.INFO, "draining " + now.link());
        } else if (event instanceof PeerEvent.Closed now) {
            down.remove(new Place(now.link()));
            log.log(Level.INFO, "closed " + now.link());
        } else if (event instanceof PeerEvent.Connecting now) {
            log.log(Level.DEBUG, "connecting " + now.link());
        } else if (event instanceof PeerEvent.Retrying now) {
            long delay = now.delay().toMillis();
            log.log(Level.DEBUG, "retrying " + now.link() + " delay-ms=" + delay);
        } else {
            fault(event);
        }
    }

    private void fault(PeerEvent event) {
        if (event instanceof PeerEvent.Refused now) {
            fault(now.link(), line(now));
        } else if (event instanceof PeerEvent.Lost now) {
            fault(now.link(), "lost " + now.link() + " cause=" + quoted(now.cause().toString()));
        } else if (event instanceof PeerEvent.HandlerFailed now) {
            log.log(Level.WARNING, "handler-failed " + now.link(), now.cause());
        } else if (event instanceof PeerEvent.Unresolved now) {
            if (unresolved.add(now.proxy())) {
                String name = now.cause().getClass().getSimpleName();
                log.log(Level.WARNING, "unresolved proxy=" + now.proxy() + " cause=" + name);
            }
        } else if (event instanceof PeerEvent.Downgraded now) {
            boolean news = versions.add(new Version(new Place(now.link()), now.to()));
            log.log(news ? Level.INFO : Level.DEBUG, line(now));
        }
    }

    private static String line(PeerEvent.Refused event) {
        String remedy = REMEDIES.get(event.text());
        return "refused "
                + event.link()
                + " reason="
                + quoted(event.text())
                + (remedy == null ? "" : " remedy=" + quoted(remedy));
    }

    private static String line(PeerEvent.Downgraded event) {
        return "downgraded "
                + event.link()
                + " from="
                + event.from().text()
                + " to="
                + event.to().text()
                + " reason="
                + quoted(event.text());
    }

    private void fault(PeerLink link, String line) {
        log.log(down.add(new Place(link)) ? Level.WARNING : Level.DEBUG, line);
    }

    /** Proxies send any bytes; a log line must stay one line. */
    static String quoted(String text) {
        StringBuilder line = new StringBuilder("\"");
        text.chars()
                .limit(1024)
                .forEach(
                        c -> {
                            if (c == '"' || c == '\\') {
                                line.append('\\').append((char) c);
                            } else if (c >= ' ' && c < 0x7F) {
                                line.append((char) c);
                            } else {
                                line.append(String.format("\\u%04x", c));
                            }
                        });
        return line.append('"').toString();
    }
}
