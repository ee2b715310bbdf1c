package org.jvrpc.softrnic.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.jvrpc.softrnic.ShmEnd;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.PostSend;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.WorkCompletion;
import org.jvrpc.verbs.contract.Deadline;

/** Another sender, by a device of its own, whose messages count up. */
final class Bystander {

    private final ShmEnd end;
    private final PostSend call;
    private final WorkCompletion wc = new WorkCompletion();
    private int sent;
    private int arrived;

    /** @param to is in INIT, with receives that are this sender's alone, or shared ones */
    Bystander(Device own, QueuePair to) {
        end = new ShmEnd(own, 1);
        byte[] endpoint = end.qp.endpoint();
        end.qp.connect(to.endpoint());
        to.connect(endpoint);
        call = end.qp.prepareSend(SendRequest.send(0, end.sge(0, Initiators.SHORT)).signalled());
    }

    /** Sends one, which completes. */
    void send() {
        Message.write(end.mr.buffer(0, Initiators.SHORT), sent++);
        assertEquals(1, call.execute());
        Deadline.until("another's send", () -> end.sendCq.poll(wc));
        assertTrue(wc.succeeded(), wc::toString);
    }

    /** Returns the number that the next message to arrive must have. */
    int expected() {
        return arrived++;
    }

    boolean hasAllArrived() {
        return arrived == sent;
    }

    @Override
    public String toString() {
        return "another sender: " + arrived + " of " + sent + " arrived";
    }
}
