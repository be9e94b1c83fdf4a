package org.lrwp.webapp.glassfish;

import jakarta.servlet.AsyncContext;

import org.apache.catalina.connector.RequestFacade;
import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * What GlassFish keeps of each asynchronous request in the thread that began it: a thread-local
 * value of its own, which it never takes out. Until the next collection there is one for every
 * request, and the collection has to look at all of them: most of its time.
 *
 * @param type of a request
 * @param value gets the value of one; null when the type has none
 */
record AsyncScope(Class<?> type, @Nullable MethodHandle value) {
    private static final System.Logger LOG = System.getLogger(AsyncScope.class.getName());

    /** The container's own. */
    static final AsyncScope OWN = own();

    private static AsyncScope own() {
        try {
            ClassLoader loader = RequestFacade.class.getClassLoader();
            String name = RequestFacade.class.getPackageName() + ".AsyncContextImpl";
            return of(Class.forName(name, false, loader));
        } catch (ClassNotFoundException e) {
            return of(AsyncContext.class);
        }
    }

    /** Looks at a type of the container. */
    static AsyncScope of(Class<?> type) {
        try {
            MethodHandle field =
                    MethodHandles.privateLookupIn(type, MethodHandles.lookup())
                            .findGetter(type, "isDispatchInScope", ThreadLocal.class);
            return new AsyncScope(
                    type,
                    field.asType(MethodType.methodType(ThreadLocal.class, AsyncContext.class)));
        } catch (ReflectiveOperationException | RuntimeException e) {
            // Only speed is lost: the container is another than those that were tried.
            LOG.log(Level.INFO, "container-unknown reason={0}", e.toString());
            return new AsyncScope(type, null);
        }
    }

    /**
     * Takes the value of a request out of this thread, where it is if this is the one that began.
     */
    void leave(AsyncContext async) {
        if (value != null && type.isInstance(async)) {
            threadLocal(value, async).remove();
        }
    }

    private static ThreadLocal<?> threadLocal(MethodHandle value, AsyncContext async) {
        try {
            return (ThreadLocal<?>) value.invokeExact(async);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
