package org.jvrpc.softrnic.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.Arrays;
import java.util.List;
import org.jvrpc.softrnic.ShmEnd;
import org.jvrpc.softrnic.ShmUnderTest;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.ConnectionException;
import org.jvrpc.verbs.ConnectionRequest;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.Listener;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.contract.Background;
import org.jvrpc.verbs.contract.Deadline;

/** The child connects, or closes what it has connected: this side's receives come back, and others connect. */
final class ConnectScene extends Scene {

    private static final int RECEIVES = 4;
    private static final byte[] ANOTHER = {1};

    private final Listener listener = listen();
    private final Device another = ShmUnderTest.open();
    private final EventChannel theirChannel = another.createChannel();
    private ShmEnd end;
    private Connection connection;
    private int returned;

    @Override
    public List<String> begin() {
        connection = null;
        end = null;
        returned = 0;
        return List.of(listener.address());
    }

    @Override
    public void step() {
        answer(null);
        while (connection != null && end.receiveCq.poll(wc)) {
            assertEquals(WcStatus.WR_FLUSH_ERR, wc.status());
            assertEquals(returned++, wc.wrId());
        }
    }

    /** Accepts who asks now, if anybody does; returns another's connection, null when it is not another's. */
    private Connection answer(ShmEnd own) {
        ConnectionRequest request = asked(listener);
        if (request == null) {
            return null;
        }
        if (Arrays.equals(request.privateData(), ANOTHER)) {
            return request.accept(own.qp, new byte[0]);
        }
        assertNull(end, "the child asks twice");
        end = new ShmEnd(device, RECEIVES, null, channel);
        for (int i = 0; i < RECEIVES; i++) {
            assertEquals(1, end.qp.prepareReceive(ReceiveRequest.of(i, end.sge(64 * i, 64))).execute());
        }
        try {
            connection = request.accept(end.qp, new byte[0]);
        } catch (ConnectionException e) {
            end.close(); // the child was halted meanwhile
            end = null;
        }
        return null;
    }

    /** Another connects, sends a message, and goes. */
    @Override
    public void others() {
        try (ShmEnd theirs = new ShmEnd(another, 1, null, theirChannel);
                ShmEnd own = new ShmEnd(device, 1, null, channel)) {
            Background<Connection> connector = Background.start("another", () -> another.connect(
                    listener.address(), theirs.qp, ANOTHER, theirChannel, Deadline.BOUND_NS));
            assertEquals(1, own.qp.prepareReceive(ReceiveRequest.of(0, own.sge(0, Initiators.SHORT))).execute());
            Connection[] accepted = new Connection[1];
            Deadline.until("another's request", () -> (accepted[0] = answer(own)) != null);
            Connection connected = connector.join(60);
            Message.write(theirs.mr.buffer(0, Initiators.SHORT), 1);
            assertEquals(1, theirs.qp.prepareSend(SendRequest.send(0, theirs.sge(0, Initiators.SHORT))).execute());
            Deadline.until("another's message", () -> own.receiveCq.poll(wc));
            Message.check(own.mr.buffer(0, Initiators.SHORT), 1);
            connected.close();
            accepted[0].close();
            theirChannel.await(0); // lets the sockets go
            channel.await(0);
        }
    }

    @Override
    public void end(boolean whole) {
        if (whole) {
            assertNotNull(connection, "nobody asked");
        }
        if (connection != null) {
            stepUntil("the child's end", () -> !connection.isConnected());
            stepUntil("every receive", () -> returned == RECEIVES);
            connection.close();
            end.close();
        }
        others();
    }

    @Override
    public void close() {
        another.close();
        super.close();
    }

    @Override
    public String toString() {
        return "asked=" + (end != null) + " returned=" + returned;
    }
}
