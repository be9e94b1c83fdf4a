package org.lrwp.webapp.config;

import org.lrwp.runtime.configuration.Key;
import org.lrwp.runtime.configuration.KeyTable;
import org.lrwp.runtime.configuration.ValueTypes;

import java.util.List;
import java.util.Set;

/**
 * The keys of every module. What else begins with {@code module.NAME.} is the module's own, which
 * checks it.
 */
final class ModuleKeys {
    private static final KeyTable TABLE = new KeyTable();

    /** What stands before the name of a module. */
    static final String HEAD = "module.";

    /** What stands before a key of every module. */
    static final String EACH = "module.*.";

    static final Key<String> TYPE =
            TABLE.key("module.*.type", ValueTypes.TEXT, "")
                    .live(
                            "Kind of the module; must be set. One that the proxy does not have: it"
                                    + " does not start; while it runs, the module does not.");

    static final Key<Boolean> ENABLED =
            TABLE.key("module.*.enabled", ValueTypes.SWITCH, "true")
                    .live("Whether the module runs; false = a running one drains and ends.");

    static final Key<Set<String>> CONTEXT =
            TABLE.key("module.*.context", ProxyValueTypes.CONTEXTS, "")
                    .live("Contexts that the module serves; must be set.");

    static final Key<String> VHOST =
            TABLE.key("module.*.vhost", ValueTypes.TEXT, "")
                    .live("The only host it serves them for; empty = every host.");

    static final Key<Integer> CAPACITY =
            TABLE.key("module.*.capacity", ValueTypes.count(1, 1_000_000), "16384")
                    .live(
                            "Requests that the module has at once; more wait as"
                                    + " `context.queue-length` says.");

    static final Key<String> CONFIG =
            TABLE.key("module.*.config", ValueTypes.TEXT, "")
                    .live(
                            "File with more of the module's own keys, watched for changes; empty ="
                                    + " none. At the start what stands here wins over it.");

    static final Key<Integer> ADMIN_PORT =
            TABLE.key("module.*.admin-port", ValueTypes.count(-1, 0xFFFF), "-1")
                    .live(
                            "Port of the loopback address with the module's admin endpoint; 0 = any"
                                + " free one, -1 = none. Taken: as a module that cannot start.");

    static final Key<String> ADMIN_TOKEN_FILE =
            TABLE.key("module.*.admin-token-file", ValueTypes.TEXT, "")
                    .live(
                            "File with the token that changes there need, mode 600; empty = nobody"
                                    + " may change anything.");

    static final Key<String> OWN =
            TABLE.key("module.*.**", ValueTypes.TEXT, "")
                    .liveSecret(
                            "What the module itself takes; its page in these docs has its keys.");

    private ModuleKeys() {}

    /** All of them, in the order of the docs. */
    static List<Key<?>> all() {
        return TABLE.all();
    }
}
