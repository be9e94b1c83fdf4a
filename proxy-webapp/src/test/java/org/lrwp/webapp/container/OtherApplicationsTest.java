package org.lrwp.webapp.container;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import org.apache.catalina.Container;
import org.apache.catalina.ContainerEvent;
import org.apache.catalina.Context;
import org.apache.catalina.Host;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OtherApplicationsTest {
    private final Context own = mock(Context.class);
    private final Host here = mock(Host.class);
    private final Host elsewhere = mock(Host.class);
    private final Container engine = mock(Container.class);

    @BeforeEach
    void setUp() {
        when(own.getPath()).thenReturn("");
        when(own.getParent()).thenReturn(here);
        when(here.getParent()).thenReturn(engine);
        when(engine.findChildren()).thenReturn(new Container[] {here, elsewhere});
        when(here.getName()).thenReturn("server");
        when(here.findAliases()).thenReturn(new String[] {"WWW.Example.org"});
        when(elsewhere.getName()).thenReturn("Other");
        when(elsewhere.findAliases()).thenReturn(new String[0]);
        when(here.findChildren()).thenReturn(new Container[] {own});
        when(elsewhere.findChildren()).thenReturn(new Container[0]);
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

        assertTrue(others.own("server", "/shop"));
        assertTrue(others.own("www.example.org", "/shop/x"));
        assertFalse(others.own("server", "/shopping"));
        assertFalse(others.own("server", "/osp"));
        assertTrue(others.own("unknown", "/shop"), "the usual server has it");
    }

    @Test
    void aServerWithoutThisApplicationHasNothingForPeers() {
        var others = new OtherApplications(own);

        assertTrue(others.own("other", "/osp"));
        assertFalse(others.own("server", "/osp"));
    }

    @Test
    void applicationsThatComeAndGoAreFollowed() {
        var others = new OtherApplications(own);
        assertFalse(others.own("server", "/shop"));

        Context shop = application("/shop");
        when(here.findChildren()).thenReturn(new Container[] {own, shop});
        others.containerEvent(new ContainerEvent(here, Container.ADD_VALVE_EVENT, shop));
        assertFalse(others.own("server", "/shop"));
        others.containerEvent(new ContainerEvent(here, Container.ADD_CHILD_EVENT, shop));
        assertTrue(others.own("server", "/shop"));

        when(here.findChildren()).thenReturn(new Container[] {own});
        others.containerEvent(new ContainerEvent(here, Container.REMOVE_CHILD_EVENT, shop));
        assertFalse(others.own("server", "/shop"));

        others.close();
        verify(here).removeContainerListener(others);
    }

    @Test
    void anApplicationThatIsNowhereHasNoOthers() {
        when(own.getParent()).thenReturn(null);

        assertFalse(new OtherApplications(own).own("server", "/shop"));
    }
}
