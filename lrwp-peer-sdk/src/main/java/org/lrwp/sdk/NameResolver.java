package org.lrwp.sdk;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** Finds the addresses of a host name; may block. */
@FunctionalInterface
interface NameResolver {
    List<InetAddress> resolve(String host) throws UnknownHostException;
}
