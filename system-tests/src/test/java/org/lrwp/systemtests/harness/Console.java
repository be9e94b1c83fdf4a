package org.lrwp.systemtests.harness;

import com.sun.tools.attach.VirtualMachine;

import java.io.IOException;
import java.util.Set;

import javax.management.Attribute;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** What an operator's console does: it attaches to a process on this machine, reads and writes. */
public final class Console implements AutoCloseable {
    private final JMXConnector connector;
    private final MBeanServerConnection server;

    private Console(JMXConnector connector) throws IOException {
        this.connector = connector;
        this.server = connector.getMBeanServerConnection();
    }

    /** Attaches to a process. */
    // The address is that of a process of ours.
    @SuppressWarnings("BanJNDI")
    public static Console of(long pid) throws Exception {
        VirtualMachine machine = VirtualMachine.attach(Long.toString(pid));
        try {
            var url = new JMXServiceURL(machine.startLocalManagementAgent());
            return new Console(JMXConnectorFactory.connect(url));
        } finally {
            machine.detach();
        }
    }

    private ObjectName one(String pattern) throws IOException, JMException {
        Set<ObjectName> names = server.queryNames(new ObjectName(pattern), null);
        if (names.size() != 1) {
            throw new AssertionError(pattern + " are " + names);
        }
        return names.iterator().next();
    }

    /** Whether there is a bean that fits. */
    public boolean has(String pattern) throws IOException, JMException {
        return !server.queryNames(new ObjectName(pattern), null).isEmpty();
    }

    /** Reads an attribute of the only bean that fits. */
    public Object get(String pattern, String attribute) throws IOException, JMException {
        return server.getAttribute(one(pattern), attribute);
    }

    /** Writes an attribute of the only bean that fits. */
    public void set(String pattern, String attribute, String value)
            throws IOException, JMException {
        server.setAttribute(one(pattern), new Attribute(attribute, value));
    }

    @Override
    public void close() throws IOException {
        connector.close();
    }
}
