package org.lrwp.server;

import java.lang.System.Logger.Level;
import java.lang.management.ManagementFactory;

import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** Opens the logs of the web application anew, by its MBean in this very process. */
final class LogCommand {
    private static final System.Logger LOG = System.getLogger(LogCommand.class.getName());

    private LogCommand() {}

    /** Does it; where the application does not run, nothing. */
    static void reopenLogs() {
        MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
        try {
            ObjectName proxies = new ObjectName("org.lrwp:type=Proxy,*");
            for (ObjectName proxy : beans.queryNames(proxies, null)) {
                beans.invoke(proxy, "reopenLogs", new Object[0], new String[0]);
            }
        } catch (JMException e) {
            LOG.log(Level.WARNING, "logs-not-reopened reason={0}", e.toString());
        }
    }
}
