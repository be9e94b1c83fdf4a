package org.lrwp.engine.spool;

/** Who is told what happens to a spool; nobody at first. Thread-safe. */
final class SpoolListeners {
    /** Of a spool that nobody has asked to be told of. */
    static final SpoolListeners NONE = new SpoolListeners();

    private volatile Runnable onReady = SpoolListeners::nobody;
    private volatile Runnable onRoom = SpoolListeners::nobody;

    void onReady(Runnable listener) {
        onReady = listener;
    }

    void onRoom(Runnable listener) {
        onRoom = listener;
    }

    void ready() {
        onReady.run();
    }

    /** Who is to be told that there is room again. */
    Runnable room() {
        return onRoom;
    }

    /** Nobody is told any more; who was to be told of room is told once more. */
    Runnable clear() {
        Runnable room = onRoom;
        if (this == NONE) {
            return room;
        }
        onReady = SpoolListeners::nobody;
        onRoom = SpoolListeners::nobody;
        return room;
    }

    static void nobody() {}
}
