package org.lrwp.systemtests.harness;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A wire between a client and a server that can be silent: while it is nothing comes through, and
 * nobody is told. What was on its way comes later.
 */
final class PausingRelay implements SilentWay {
    private static final int PIECE = 16 * 1024;

    private final ServerSocket server;
    private final int target;
    private final ReentrantLock wire = new ReentrantLock();
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();

    private PausingRelay(int target) throws IOException {
        this.target = target;
        this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofPlatform().daemon().name("relay").start(this::accept);
    }

    /** Opens a port that leads to a port of this machine. */
    static PausingRelay to(int port) throws IOException {
        return new PausingRelay(port);
    }

    @Override
    public String address() {
        return "127.0.0.1:" + server.getLocalPort();
    }

    @Override
    public void silentWhile(Runnable done) {
        wire.lock();
        try {
            done.run();
        } finally {
            wire.unlock();
        }
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                connect(server.accept());
            } catch (IOException e) {
                // It was closed.
            }
        }
    }

    /** When the server is gone the client's connection ends. */
    private void connect(Socket client) throws IOException {
        sockets.add(client);
        try {
            Socket there = new Socket(InetAddress.getLoopbackAddress(), target);
            sockets.add(there);
            // Or some pieces would come 40 ms late: the relay waits for an ACK, the other end
            // delays it.
            client.setTcpNoDelay(true);
            there.setTcpNoDelay(true);
            Thread.ofPlatform().daemon().start(() -> copy(client, there));
            Thread.ofPlatform().daemon().start(() -> copy(there, client));
        } catch (IOException e) {
            client.close();
        }
    }

    private void copy(Socket from, Socket to) {
        byte[] piece = new byte[PIECE];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int count = in.read(piece); count >= 0; count = in.read(piece)) {
                wire.lock();
                try {
                    out.write(piece, 0, count);
                } finally {
                    wire.unlock();
                }
            }
        } catch (IOException e) {
            // One of the two has left.
        }
    }

    private void closeAll() {
        for (Socket socket : new ArrayList<>(sockets)) {
            try {
                socket.close();
            } catch (IOException e) {
                // It is gone anyway.
            }
        }
        sockets.clear();
    }

    @Override
    public void close() throws IOException {
        server.close();
        closeAll();
    }
}
