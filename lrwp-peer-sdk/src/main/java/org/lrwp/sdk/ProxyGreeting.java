package org.lrwp.sdk;

import org.lrwp.protocol.MalformedFrameException;
import org.lrwp.protocol.frame.FrameParser;
import org.lrwp.protocol.frame.FrameType;
import org.lrwp.protocol.frame.ProxySettings;

import java.io.IOException;

/**
 * What a proxy has said first on a connection of LRWP 3.
 *
 * @param in the rest of the input
 * @param parser has read the settings
 * @param settings what the proxy said about itself
 */
record ProxyGreeting(FrameInput in, FrameParser parser, ProxySettings settings) {
    /** Waits for the proxy's settings, within the registration time. */
    static ProxyGreeting read(FrameInput in, int maxFrame)
            throws IOException, MalformedFrameException {
        FrameParser parser = new FrameParser(maxFrame);
        while (!parser.next(in.arrived())) {
            in.require("its settings");
        }
        if (parser.type() != FrameType.SETTINGS) {
            throw new MalformedFrameException("the first frame is " + parser.type());
        }
        return new ProxyGreeting(in, parser, ProxySettings.parse(parser.payload()));
    }
}
