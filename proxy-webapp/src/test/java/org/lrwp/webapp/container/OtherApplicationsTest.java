package org.lrwp.webapp.container;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import org.apache.catalina.Container;
import org.apache.catalina.ContainerEvent;
import org.apache.catalina.Context;
import org.apache.catalina.Engine;
import org.apache.catalina.Host;
import org.apache.catalina.Service;
import org.apache.catalina.connector.Connector;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OtherApplicationsTest {
    private static final int FIRST = 1;
    private static final int SECOND = 2;
    private static final int OF_NOBODY = 3;

    private final Context own = mock(Context.class);
    private final Host here = mock(Host.class);
    private final Host elsewhere = mock(Host.class);
    private final Engine engine = mock(Engine.class);
    private final Service service = mock(Service.class);

    @BeforeEach
    void setUp() {
        when(own.getPath()).thenReturn("");
        when(own.getParent()).thenReturn(here);
        when(here.getParent()).thenReturn(engine);
        when(engine.findChildren()).thenReturn(new Container[] {here, elsewhere});
        when(engine.getService()).thenReturn(service);
        Connector first = listener("first", FIRST, "server");
        Connector second = listener("second", SECOND, "Other");
        when(service.findConnectors())
                .thenReturn(new org.apache.catalina.Connector[] {first, second});
        when(here.getNetworkListenerNames()).thenReturn(new String[] {"first"});
        when(elsewhere.getNetworkListenerNames()).thenReturn(new String[] {"first", "second"});
        when(here.getName()).thenReturn("server");
        when(here.findAliases()).thenReturn(new String[] {"WWW.Example.org"});
        when(elsewhere.getName()).thenReturn("Other");
        when(elsewhere.findAliases()).thenReturn(new String[0]);
        when(here.findChildren()).thenReturn(new Container[] {own});
        when(elsewhere.findChildren()).thenReturn(new Container[0]);
    }

    private static Connector listener(String name, int port, String usual) {
        Connector one = mock(Connector.class);
        when(one.getName()).thenReturn(name);
        when(one.getPort()).thenReturn(port);
        when(one.getDefaultHost()).thenReturn(usual);
        return one;
    }

    private static Context application(String root) {
        Context one = mock(Context.class);
        when(one.getPath()).thenReturn(root);
        return one;
    }

    @Test
    void rootsBesideOwnAreOthersOnWholeSegments() {
        Context shop = application("/shop");
        when(here.findChildren()).thenReturn(new Container[] {own, shop, mock(Container.class)});
        var others = new OtherApplications(own);

        assertTrue(others.own(FIRST, "server", "/shop"));
        assertTrue(others.own(FIRST, "www.example.org", "/shop/x"));
        assertFalse(others.own(FIRST, "server", "/shopping"));
        assertFalse(others.own(FIRST, "server", "/osp"));
        assertTrue(others.own(FIRST, "unknown", "/shop"), "the usual server has it");
    }

    @Test
    void aServerWithoutThisApplicationHasNothingForPeers() {
        var others = new OtherApplications(own);

        assertTrue(others.own(FIRST, "other", "/osp"));
        assertFalse(others.own(FIRST, "server", "/osp"));
    }

    @Test
    void aListenerOfAnotherServerHasNothingForPeers() {
        var others = new OtherApplications(own);

        assertTrue(others.own(SECOND, "unknown", "/osp"), "its usual server gets it");
        assertTrue(others.own(SECOND, "server", "/osp"), "ours is not at this listener");
        assertFalse(others.own(FIRST, "unknown", "/osp"));
        assertFalse(others.own(OF_NOBODY, "unknown", "/osp"), "a port of the proxy");
        assertTrue(others.own(OF_NOBODY, "other", "/osp"));
    }

    @Test
    void anApplicationOfAnotherServerMayHaveTheSameRoot() {
        Context same = application("");
        when(elsewhere.findChildren()).thenReturn(new Container[] {same});

        assertTrue(new OtherApplications(own).own(FIRST, "other", "/osp"));
    }

    @Test
    void aServerThatComesLaterIsFollowed() {
        var others = new OtherApplications(own);
        assertFalse(others.own(FIRST, "late", "/osp"));

        Host late = mock(Host.class);
        when(late.getName()).thenReturn("late");
        when(late.findAliases()).thenReturn(new String[0]);
        when(late.findChildren()).thenReturn(new Container[0]);
        when(engine.findChildren()).thenReturn(new Container[] {here, elsewhere, late});
        others.containerEvent(new ContainerEvent(engine, Container.ADD_CHILD_EVENT, late));

        assertTrue(others.own(FIRST, "late", "/osp"));
        verify(late).addContainerListener(others);
        others.close();
        verify(late).removeContainerListener(others);
        verify(engine).removeContainerListener(others);
    }

    @Test
    void applicationsThatComeAndGoAreFollowed() {
        var others = new OtherApplications(own);
        assertFalse(others.own(FIRST, "server", "/shop"));

        Context shop = application("/shop");
        when(here.findChildren()).thenReturn(new Container[] {own, shop});
        others.containerEvent(new ContainerEvent(here, Container.ADD_VALVE_EVENT, shop));
        assertFalse(others.own(FIRST, "server", "/shop"));
        others.containerEvent(new ContainerEvent(here, Container.ADD_CHILD_EVENT, shop));
        assertTrue(others.own(FIRST, "server", "/shop"));

        when(here.findChildren()).thenReturn(new Container[] {own});
        others.containerEvent(new ContainerEvent(here, Container.REMOVE_CHILD_EVENT, shop));
        assertFalse(others.own(FIRST, "server", "/shop"));

        others.close();
        verify(here).removeContainerListener(others);
    }

    @Test
    void anApplicationThatIsNowhereHasNoOthers() {
        when(own.getParent()).thenReturn(null);

        assertFalse(new OtherApplications(own).own(FIRST, "server", "/shop"));
    }
}
