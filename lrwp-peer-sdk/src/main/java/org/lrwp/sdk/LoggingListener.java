package org.lrwp.sdk;

import org.lrwp.protocol.ProtocolVersion;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.SocketAddress;
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

    private final Logger log;
    private final Set<Place> down = ConcurrentHashMap.newKeySet();
    private final Set<ProxyAddress> unresolved = ConcurrentHashMap.newKeySet();
    private final Set<Version> versions = ConcurrentHashMap.newKeySet();

    LoggingListener(Logger log) {
        this.log = log;
    }

    @Override
    public void onEvent(PeerEvent event) {
        switch (event) {
            case PeerEvent.Connecting(PeerLink link) -> log.log(Level.DEBUG, "connecting " + link);
            case PeerEvent.Registered(PeerLink link) -> {
                down.remove(new Place(link));
                unresolved.clear();
                log.log(Level.INFO, "registered " + link);
            }
            case PeerEvent.Unregistered(PeerLink link) ->
                    log.log(Level.INFO, "unregistered " + link);
            case PeerEvent.Downgraded older -> {
                boolean news = versions.add(new Version(new Place(older.link()), older.to()));
                log.log(news ? Level.INFO : Level.DEBUG, line(older));
            }
            case PeerEvent.Draining(PeerLink link) -> {
                // The proxy said that it goes: that it cannot be reached then is no news.
                down.add(new Place(link));
                log.log(Level.INFO, "draining " + link);
            }
            case PeerEvent.Refused(PeerLink link, String text) ->
                    fault(link, "refused " + link + " reason=" + quoted(text));
            case PeerEvent.Lost(PeerLink link, Exception cause) ->
                    fault(link, "lost " + link + " cause=" + quoted(cause.toString()));
            case PeerEvent.Unresolved(ProxyAddress proxy, var cause) -> {
                if (unresolved.add(proxy)) {
                    String name = cause.getClass().getSimpleName();
                    log.log(Level.WARNING, "unresolved proxy=" + proxy + " cause=" + name);
                }
            }
            case PeerEvent.Retrying(PeerLink link, var delay) ->
                    log.log(Level.DEBUG, "retrying " + link + " delay-ms=" + delay.toMillis());
            case PeerEvent.HandlerFailed(PeerLink link, Throwable cause) ->
                    log.log(Level.WARNING, "handler-failed " + link, cause);
            case PeerEvent.Closed(PeerLink link) -> {
                down.remove(new Place(link));
                log.log(Level.INFO, "closed " + link);
            }
        }
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
