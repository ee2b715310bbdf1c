package org.jvrpc.softrnic.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.BitSet;
import java.util.List;
import org.jvrpc.softrnic.ShmEnd;
import org.jvrpc.softrnic.ShmUnderTest;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.ConnectionRequest;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Listener;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.PostReceive;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.SharedReceiveQueue;
import org.jvrpc.verbs.SharedReceiveQueueAttributes;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.contract.Deadline;

/** The child, and another, send to one SRQ: every receive comes back once, also those that the child had taken. */
final class SharedScene extends Scene {

    private static final int RECEIVES = 7;
    private static final int SLOT = 64;

    private final ProtectionDomain pd = device.allocatePd();
    private final MemoryRegion mr = pd.allocate(SLOT * 8, Access.LOCAL_WRITE);
    private final SharedReceiveQueue srq = pd.createSrq(new SharedReceiveQueueAttributes(RECEIVES, 1));
    private final CompletionQueue cq =
            device.createCq(CompletionQueueAttributes.ofDepth(64).withChannel(channel));
    private final PostReceive call = srq.prepareReceive(ReceiveRequest.of(0, Sge.of(mr, 0, Initiators.SHORT)));
    private final Listener listener = listen();
    private final Device another = ShmUnderTest.open();
    /** With a CQ of its own: in one that is shared, who stands holds up those behind it. */
    private final ShmEnd theirs = shared(device.createCq(CompletionQueueAttributes.ofDepth(64)));
    private final Bystander bystander = new Bystander(another, theirs.qp);
    private final BitSet posted = new BitSet();
    private ShmEnd end;
    private Connection connection;
    private int arrived;

    SharedScene() {
        for (int slot = 0; slot < RECEIVES; slot++) {
            post(slot);
        }
    }

    private ShmEnd shared(CompletionQueue reports) {
        return new ShmEnd(device, 1, reports, channel, with -> with.sharedReceive(srq));
    }

    private void post(int slot) {
        posted.set(slot);
        assertEquals(1, call.wrId(0, slot).offset(0, 0, SLOT * slot).execute());
    }

    @Override
    public List<String> begin() {
        end = shared(cq);
        connection = null;
        arrived = 0;
        return List.of(listener.address());
    }

    @Override
    public void step() {
        if (connection == null) {
            ConnectionRequest request = asked(listener);
            if (request != null) {
                connection = request.accept(end.qp, new byte[0]);
            }
        }
        channel.await(0);
        while (cq.poll(wc) || theirs.receiveCq.poll(wc)) {
            int slot = (int) wc.wrId();
            assertTrue(posted.get(slot), "twice: " + wc);
            posted.clear(slot);
            if (wc.succeeded()) {
                Message.check(mr.buffer(SLOT * slot, Initiators.SHORT),
                        wc.qpNumber() == theirs.qp.number() ? bystander.expected() : arrived++);
            } else {
                assertTrue(wc.status() == WcStatus.WR_FLUSH_ERR && wc.qpNumber() == end.qp.number(), wc::toString);
            }
            post(slot);
        }
    }

    @Override
    public void others() {
        for (int i = 0; i < 20; i++) {
            bystander.send();
            stepUntil("another's message", bystander::hasAllArrived);
        }
    }

    @Override
    public void end(boolean whole) {
        stepUntil("the child's end", () -> !connection.isConnected());
        assertTrue(whole ? arrived == Initiators.MESSAGES : arrived <= Initiators.MESSAGES, toString());
        others();
        connection.close();
        end.close();
        everyReceiveIsThere();
    }

    /** Takes them all before any is posted again. */
    private void everyReceiveIsThere() {
        for (int i = 0; i < RECEIVES; i++) {
            bystander.send();
        }
        for (int i = 0; i < RECEIVES; i++) {
            stepUntilOne();
        }
        for (int slot = 0; slot < RECEIVES; slot++) {
            post(slot);
        }
    }

    private void stepUntilOne() {
        Deadline.until("a receive that should be posted", () -> theirs.receiveCq.poll(wc),
                this::toString);
        assertTrue(wc.succeeded() && posted.get((int) wc.wrId()), wc::toString);
        posted.clear((int) wc.wrId());
        Message.check(mr.buffer(SLOT * wc.wrId(), Initiators.SHORT), bystander.expected());
    }

    @Override
    public void close() {
        another.close();
        super.close();
    }

    @Override
    public String toString() {
        return "arrived=" + arrived + " posted=" + posted + "; " + bystander;
    }
}
