package org.jvrpc.runtime.inproc;

import org.jvrpc.runtime.memory.KeyedBodies;

/** What the two sides of a link have in common, and that they end together. Any thread. */
final class Pair {

    private final Ring toServer;
    private final Ring toClient;
    private final InprocEvents client;
    private final InprocEvents server;
    private final KeyedBodies clientBodies;
    private final KeyedBodies serverBodies;
    private volatile boolean ended;

    /** @param slotBytes longest body of a message */
    Pair(int slotBytes, InprocEvents client, KeyedBodies clientBodies, InprocEvents server, KeyedBodies serverBodies) {
        this.toServer = new Ring(slotBytes);
        this.toClient = new Ring(slotBytes);
        this.client = client;
        this.clientBodies = clientBodies;
        this.server = server;
        this.serverBodies = serverBodies;
    }

    /** One side's view of it. */
    record Side(Pair pair, Ring in, Ring out, InprocEvents peer, KeyedBodies peerBodies) { }

    Side client() {
        return new Side(this, toClient, toServer, server, serverBodies);
    }

    Side server() {
        return new Side(this, toServer, toClient, client, clientBodies);
    }

    boolean isEnded() {
        return ended;
    }

    /** Nothing is sent any more; what was sent can be taken. Idempotent. */
    void end() {
        ended = true;
        client.wakeup();
        server.wakeup();
    }
}
