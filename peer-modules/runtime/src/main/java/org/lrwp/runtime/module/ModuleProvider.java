package org.lrwp.runtime.module;

import org.lrwp.runtime.configuration.BadConfigurationException;
import org.lrwp.runtime.configuration.Key;

import java.util.List;

/**
 * A kind of module. The proxy finds it with {@link java.util.ServiceLoader}: the module's jar names
 * its provider in {@code META-INF/services/org.lrwp.runtime.module.ModuleProvider}. A program of
 * its own gives it to {@code ModuleProgram}.
 */
public interface ModuleProvider {
    /**
     * Returns the name of the kind, as configuration names it.
     *
     * @return a word in kebab case, for example {@code download}
     */
    String type();

    /**
     * Says what the module does.
     *
     * @return one sentence, for {@code --help}
     */
    String description();

    /**
     * Returns what the module serves as a program when nobody says otherwise.
     *
     * @return a context, for example {@code /files}
     */
    String defaultContext();

    /**
     * Returns all that can be set of it.
     *
     * @return its keys, in the order of the docs; their names are its own: neither {@code type},
     *     nor {@code context}, nor any that begins with {@code admin-}
     */
    List<Key<?>> keys();

    /**
     * Opens a module. May block: files are opened here.
     *
     * @param setup its name, its contexts and its values
     * @return the module, ready for its first request
     * @throws BadConfigurationException when it cannot run with these values; nothing stays open
     */
    PeerModule open(ModuleSetup setup) throws BadConfigurationException;
}
