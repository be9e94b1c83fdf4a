package org.lrwp.webapp.servlet;

/** A connection that can be reached through the Servlet API only, under one of its requests. */
final class PlainLink implements ContainerLink {
    private volatile boolean toBeCut;

    @Override
    public boolean hasWholeRequest() {
        return false;
    }

    @Override
    public void prepareAnswer(String reason) {}

    @Override
    public void end() {}

    @Override
    public boolean isEnded() {
        return false;
    }

    @Override
    public long pendingBytes() {
        return 0;
    }

    @Override
    public void cut(boolean reset) {
        toBeCut = true;
    }

    @Override
    public boolean isToBeCut() {
        return toBeCut;
    }
}
