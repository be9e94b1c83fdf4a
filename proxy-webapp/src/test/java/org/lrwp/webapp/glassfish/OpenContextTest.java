package org.lrwp.webapp.glassfish;

import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import org.apache.catalina.Context;
import org.apache.catalina.Pipeline;
import org.apache.catalina.Realm;
import org.apache.catalina.authenticator.BasicAuthenticator;
import org.apache.catalina.authenticator.NonLoginAuthenticator;
import org.apache.catalina.deploy.LoginConfig;
import org.glassfish.web.valve.GlassFishValve;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OpenContextTest {
    private final Context context = mock(Context.class);
    private final Pipeline pipeline = mock(Pipeline.class);
    private final Realm realm = mock(Realm.class);
    private final GlassFishValve check = new NonLoginAuthenticator();
    private final GlassFishValve login = new BasicAuthenticator();

    @BeforeEach
    void contextHasAPipeline() {
        when(context.getPipeline()).thenReturn(pipeline);
        when(pipeline.getValves()).thenReturn(new GlassFishValve[] {login, check});
    }

    @Test
    void anApplicationThatProtectsNothingIsNotChecked() {
        OpenContext.of(context);
        verify(pipeline).removeValve(check);
        verify(pipeline, never()).removeValve(login);
    }

    @Test
    void whatTheContainerTakesWhenNobodyChoosesALoginGoesToo() {
        when(context.getLoginConfig()).thenReturn(new LoginConfig("BASIC", "", "/", "/"));
        OpenContext.of(context);
        verify(pipeline).removeValve(login);
    }

    @Test
    void aLoginThatSomebodyHasChosenStays() {
        when(context.getLoginConfig()).thenReturn(new LoginConfig("BASIC", "file", "/", "/"));
        OpenContext.of(context);
        verify(pipeline, never()).removeValve(login);
    }

    @Test
    void aConstraintKeepsTheCheck() {
        when(context.hasConstraints()).thenReturn(true);
        OpenContext.of(context);
        verify(pipeline, never()).removeValve(any());
    }

    @Test
    void anAuthenticationModuleKeepsTheCheck() {
        when(context.getRealm()).thenReturn(realm);
        when(realm.isSecurityExtensionEnabled(any())).thenReturn(true);
        OpenContext.of(context);
        verify(pipeline, never()).removeValve(any());
    }
}
