package org.jvrpc.softrnic.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.List;
import org.jvrpc.softrnic.ShmEnd;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.ConnectionRequest;
import org.jvrpc.verbs.Listener;
import org.jvrpc.verbs.PostSend;
import org.jvrpc.verbs.SendRequest;

/** This process sends to the child: each of its sends completes once, in order, those that failed last. */
final class SendScene extends Scene {

    static final int MESSAGES = 6;

    private final Listener listener = listen();
    private ShmEnd end;
    private Connection connection;
    private PostSend call;
    private int posted;
    private int completed;
    private int succeeded;

    @Override
    public List<String> begin() {
        end = new ShmEnd(device, 1, null, channel);
        call = end.qp.prepareSend(SendRequest.send(0, end.sge(0, Initiators.SHORT)).signalled());
        connection = null;
        posted = 0;
        completed = 0;
        succeeded = 0;
        return List.of(listener.address());
    }

    @Override
    public void step() {
        channel.await(0);
        if (connection == null) {
            ConnectionRequest request = asked(listener);
            if (request != null) {
                connection = request.accept(end.qp, new byte[0]);
            }
        } else if (posted < MESSAGES) {
            int at = 64 * posted;
            Message.write(end.mr.buffer(at, Initiators.SHORT), posted);
            assertEquals(1, call.wrId(0, posted).offset(0, 0, at).execute());
            posted++;
        }
        while (end.sendCq.poll(wc)) {
            assertEquals(completed, wc.wrId(), "lost, doubled, or out of order");
            if (wc.succeeded()) {
                assertEquals(completed, succeeded, "a success behind a failure");
                succeeded++;
            }
            completed++;
        }
    }

    @Override
    public void others() {
        for (int i = 0; i < 100; i++) {
            step(); // a send that waits for a receive keeps nobody waiting
        }
    }

    @Override
    public void end(boolean whole) {
        stepUntil("the child's end", () -> connection != null && !connection.isConnected());
        stepUntil("every send", () -> completed == MESSAGES);
        if (whole) {
            assertEquals(MESSAGES, succeeded, "of a whole operation");
        }
        connection.close();
        end.close();
        assertFalse(end.sendCq.poll(wc), wc::toString);
    }

    @Override
    public String toString() {
        return "posted=" + posted + " completed=" + completed + " succeeded=" + succeeded + " connected="
                + (connection != null && connection.isConnected());
    }
}
