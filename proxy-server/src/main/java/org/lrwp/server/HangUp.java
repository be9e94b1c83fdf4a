package org.lrwp.server;

import java.lang.System.Logger.Level;
import java.lang.reflect.Proxy;

/**
 * Has SIGHUP do something. The JDK has signals in a package that compilers warn of, so its classes
 * are taken by their names; where they are missing SIGHUP ends the server as before.
 */
final class HangUp {
    private static final System.Logger LOG = System.getLogger(HangUp.class.getName());

    private HangUp() {}

    /** From now on SIGHUP runs this, on a thread of the JDK. */
    static void runs(Runnable task) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object runs =
                    Proxy.newProxyInstance(
                            handler.getClassLoader(),
                            new Class<?>[] {handler},
                            (self, method, arguments) -> {
                                task.run();
                                return null;
                            });
            Object hangUp = signal.getConstructor(String.class).newInstance("HUP");
            Object before = signal.getMethod("handle", signal, handler).invoke(null, hangUp, runs);
            if (handler.getField("SIG_IGN").get(null).equals(before)) {
                // The JDK leaves a signal ignored that whoever starts it has it ignore.
                LOG.log(
                        Level.INFO,
                        "hang-up-ignored reason=\"the process was started so, as by nohup:"
                                + " SIGHUP does not open the log files anew\"");
            }
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            LOG.log(Level.DEBUG, "no-hang-up", e);
        }
    }
}
