package org.lrwp.engine.context;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lrwp.engine.testkit.ManualTime;
import org.lrwp.engine.testkit.RecordingWork;
import org.lrwp.engine.testkit.TestEngine;

/** Which context a path belongs to: docs/protocol.md section 7. */
class RoutesTest {
    private final ManualTime time = new ManualTime();

    private Routes routes(String... contexts) {
        Routes routes = new Routes();
        for (String context : contexts) {
            int at = context.indexOf('@');
            String name = at < 0 ? context : context.substring(0, at);
            String host = at < 0 ? "" : context.substring(at + 1);
            var assistant =
                    new ContextAssistant(
                            name,
                            host,
                            TestEngine.contextConfig(false),
                            time,
                            time,
                            new RecordingWork());
            routes.put(new Routes.Key(host, name), assistant);
        }
        return routes;
    }

    private static String cut(Routes routes, String host, String path) {
        ContextMatch match = routes.match(host, path);
        if (match == null) {
            return "none";
        }
        String virtualHost = match.assistant().virtualHost();
        return match.assistant().contextName()
                + (virtualHost.isEmpty() ? "" : "@" + virtualHost)
                + " "
                + match.path().substring(0, match.cut())
                + " "
                + match.path().substring(match.cut());
    }

    @ParameterizedTest
    @CsvSource({
        "/osp,              /osp /osp ''",
        "/osp/,             /osp /osp /",
        "/osp/x/y,          /osp /osp /x/y",
        "/osp/sub,          /osp/sub /osp/sub ''",
        "/osp/sub/1,        /osp/sub /osp/sub /1",
        "/osp/subx,         /osp /osp /subx",
        "/osp/sub.ext,      /osp /osp /sub.ext",
        "/ospx,             none",
        "/osp.xml,          none",
        "/OSP,              none",
        "/x/osp,            none",
        "/a.ext,            .ext /a.ext ''",
        "/d/b.ext,          .ext /d/b.ext ''",
        "/d.x/b.y.ext,      .ext /d.x/b.y.ext ''",
        "/a.EXT,            none",
        "/a.ext/more,       none",
        "/.ext,             none",
        "/d/.ext,           none",
        "/a.extra,          none",
        "/a.,               none",
        "/,                 none",
        "'',                none",
        "*,                 none",
    })
    void pathsAreCutOnWholeSegmentsTheLongestFirst(String path, String expected) {
        Routes routes = routes("/osp", "/osp/sub", ".ext");
        assertEquals(expected.replace("''", ""), cut(routes, "", path));
    }

    @ParameterizedTest
    @CsvSource({
        "/osp/x,   /osp /osp /x",
        "/a.ext,   .ext /a.ext ''",
        "/a.ext/b, /  /a.ext/b",
        "/x,       /  /x",
        "/,        /  /",
    })
    void theRootContextComesLast(String path, String expected) {
        Routes routes = routes("/", "/osp", ".ext");
        assertEquals(expected.replace("''", ""), cut(routes, "any.test", path));
    }

    @ParameterizedTest
    @CsvSource({
        "a.test, /osp/x,     /osp@a.test /osp /x",
        "b.test, /osp/x,     /osp /osp /x",
        "'',     /osp/x,     /osp /osp /x",
        "a.test, /osp/sub/1, /osp/sub /osp/sub /1",
        "a.test, /only,      /only@a.test /only ''",
        "b.test, /only,      none",
        "'',     /only,      none",
        "a.test, /x.ext,     .ext@a.test /x.ext ''",
        "b.test, /x.ext,     .ext /x.ext ''",
    })
    void theExactVirtualHostGoesBeforeAnyHost(String host, String path, String expected) {
        Routes routes =
                routes("/osp", "/osp@a.test", "/osp/sub", "/only@a.test", ".ext", ".ext@a.test");
        assertEquals(expected.replace("''", ""), cut(routes, host, path));
    }

    @Test
    void aContextThatIsTakenOutIsNotFound() {
        var key = new Routes.Key("", "/osp");
        Routes routes = routes("/osp", "/osp@a.test");
        assertNotNull(routes.match("", "/osp"));
        assertEquals(2, routes.all().size());
        assertEquals(2, routes.status().size());
        routes.remove(key);
        assertNull(routes.match("", "/osp"));
        assertNull(routes.get(key));
        assertNotNull(routes.match("a.test", "/osp"));
        routes.remove(new Routes.Key("a.test", "/osp"));
        assertNull(routes.match("a.test", "/osp"));
    }
}
