package org.jvrpc.tcp.tls;

import java.io.IOException;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;

/** A handshake of two engines in memory. One thread. */
final class Rehearsal {

    /** Far more than a handshake has. */
    private static final int STEPS = 200;

    private final ByteBuffer none = ByteBuffer.allocate(0);
    private final ByteBuffer said;

    private Rehearsal(int bytes) {
        said = ByteBuffer.allocate(bytes);
    }

    /** Returns true when both are done. @throws IOException when one of them refuses the other */
    static boolean of(SSLEngine client, SSLEngine server) throws IOException {
        Rehearsal one = new Rehearsal(client.getSession().getApplicationBufferSize());
        ByteBuffer toServer = ByteBuffer.allocate(4 * client.getSession().getPacketBufferSize());
        ByteBuffer toClient = ByteBuffer.allocate(4 * client.getSession().getPacketBufferSize());
        client.beginHandshake();
        server.beginHandshake();
        for (int i = 0; i < STEPS && !(isDone(client) && isDone(server)); i++) {
            one.step(client, toClient, toServer);
            one.step(server, toServer, toClient);
        }
        return isDone(client) && isDone(server);
    }

    private static boolean isDone(SSLEngine engine) {
        return engine.getHandshakeStatus() == HandshakeStatus.NOT_HANDSHAKING;
    }

    private void step(SSLEngine engine, ByteBuffer in, ByteBuffer out) throws IOException {
        switch (engine.getHandshakeStatus()) {
            case NEED_TASK -> {
                for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
                    task.run();
                }
            }
            case NEED_WRAP -> engine.wrap(none, out);
            case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
                in.flip();
                engine.unwrap(in, said);
                in.compact();
            }
            default -> said.clear();
        }
    }
}
