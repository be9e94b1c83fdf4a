package org.lrwp.webapp.servlet;

import jakarta.servlet.ServletInputStream;

import java.io.IOException;

/**
 * A request that counts for its client until it is complete.
 *
 * @param call the request itself
 * @param leave gives its place back
 */
record CountedCall(ClientCall call, Runnable leave) implements ClientCall {
    @Override
    public ClientAnswer answer() {
        return call.answer();
    }

    @Override
    public ServletInputStream body() throws IOException {
        return call.body();
    }

    @Override
    public void complete() {
        leave.run();
        call.complete();
    }

    @Override
    public void completeOnReturn() {
        leave.run();
        call.completeOnReturn();
    }
}
