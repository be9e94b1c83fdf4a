package org.lrwp.webapp.edge;

import org.glassfish.grizzly.Context;
import org.glassfish.grizzly.IOEventLifeCycleListener;
import org.glassfish.grizzly.filterchain.BaseFilter;
import org.glassfish.grizzly.filterchain.FilterChainContext;
import org.glassfish.grizzly.filterchain.NextAction;
import org.lrwp.webapp.container.ClientReader;

import java.io.IOException;

/**
 * Stands before the container's TLS filter, for what that one does not do. It waits for a client
 * that wants another handshake: on a selector thread everybody would wait with it, so there such a
 * client is closed. And it passes to nobody what it decrypted together with the client's end.
 */
final class TlsFront extends BaseFilter {
    private final EdgeLoop loop;
    private final ClientReader client;
    private final TlsWire tls;
    private final Runnable goOn;

    /**
     * Creates a filter.
     *
     * @param loop of the connection
     * @param client knows whether the handshake lasts
     * @param tls gets what was decrypted last
     * @param goOn run on the loop when what comes with the handshake is there
     */
    TlsFront(EdgeLoop loop, ClientReader client, TlsWire tls, Runnable goOn) {
        this.loop = loop;
        this.client = client;
        this.tls = tls;
        this.goOn = goOn;
    }

    @Override
    public NextAction handleRead(FilterChainContext context) throws IOException {
        if (!context.getTransportContext().isBlocking()) {
            if (tls.isReading() || client.isShaking()) {
                context.getInternalContext().addLifeCycleListener(new Run(context));
            }
        } else if (loop.isCurrent()) {
            throw new IOException("the client wants another TLS handshake");
        }
        return context.getInvokeAction();
    }

    /** Hears that a run of the filters is over. */
    private final class Run extends IOEventLifeCycleListener.Adapter {
        private final FilterChainContext run;

        Run(FilterChainContext run) {
            this.run = run;
        }

        @Override
        public void onComplete(Context over, Object data) {
            tls.addLast(run);
            if (client.isShaking() && (tls.isCome() || tls.isEnded())) {
                // Not before: the filters do not bear two runs at once.
                loop.execute(goOn);
            }
        }
    }
}
