package org.jvrpc.softrnic.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HexFormat;
import java.util.List;
import org.jvrpc.softrnic.ShmEnd;
import org.jvrpc.softrnic.ShmUnderTest;
import org.jvrpc.verbs.Destination;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.PostReceive;
import org.jvrpc.verbs.PostSend;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.WorkCompletion;
import org.jvrpc.verbs.contract.Deadline;

/** The child, and another, send datagrams to one QP: receives are used in order, and none is passed over. */
final class DatagramScene extends Scene {

    private static final int RECEIVES = 8;
    private static final int SLOT = 128;
    private static final int HEADER = QueuePair.DATAGRAM_HEADER_BYTES;
    /** Where another sender's numbers begin: those of the child are small. */
    private static final int THEIRS = 50;
    /** The owner looks in one poll of some thousands that find nothing. */
    private static final int OWNER_POLLS = 50_000;

    private final ShmEnd end = datagrams(device);
    private final PostReceive call =
            end.qp.prepareReceive(ReceiveRequest.of(0, end.sge(0, HEADER + Initiators.SHORT)));
    private final Device another = ShmUnderTest.open();
    private final ShmEnd theirs = datagrams(another);
    private final Destination there =
            new Destination(theirs.pd.createAh(end.qp.endpoint()), end.qp.number(), ShmEnd.QKEY);
    private final PostSend theirSend = theirs.qp.prepareSend(
            SendRequest.datagram(0, there, theirs.sge(0, Initiators.SHORT)).signalled());
    private final WorkCompletion sent = new WorkCompletion();
    /** Who finds what the child left: the owner of the QP, by its polls, or another sender. They take turns. */
    private boolean ownerFirst;
    private int next;
    private int arrived;
    private int theirArrivals;

    DatagramScene() {
        for (int i = 0; i < RECEIVES; i++) {
            post(i);
        }
    }

    private static ShmEnd datagrams(Device on) {
        ShmEnd end = new ShmEnd(on, RECEIVES, null, on.createChannel(), with -> with.datagram(ShmEnd.QKEY));
        end.qp.ready();
        return end;
    }

    private void post(long slot) {
        assertEquals(1, call.wrId(0, slot).offset(0, 0, SLOT * slot).execute());
    }

    @Override
    public List<String> begin() {
        arrived = 0;
        return List.of(HexFormat.of().formatHex(end.qp.endpoint()), Integer.toString(end.qp.number()));
    }

    @Override
    public void step() {
        while (end.receiveCq.poll(wc)) {
            assertTrue(wc.succeeded(), wc::toString);
            assertEquals(next % RECEIVES, wc.wrId(), "a receive was passed over");
            next++;
            boolean isTheirs = end.mr.buffer(SLOT * wc.wrId() + HEADER, 1).get(0) >= THEIRS;
            Message.check(end.mr.buffer(SLOT * wc.wrId() + HEADER, Initiators.SHORT),
                    isTheirs ? THEIRS + theirArrivals % THEIRS : arrived);
            theirArrivals += isTheirs ? 1 : 0;
            arrived += isTheirs ? 0 : 1;
            post(wc.wrId());
        }
    }

    /** What another sends while the child stands with the QP claimed is dropped, and completes all the same. */
    @Override
    public void others() {
        sendTheirs();
    }

    private void sendTheirs() {
        Message.write(theirs.mr.buffer(0, Initiators.SHORT), THEIRS + theirArrivals % THEIRS);
        assertEquals(1, theirSend.execute());
        Deadline.until("another's send", () -> theirs.sendCq.poll(sent));
        assertTrue(sent.succeeded(), sent::toString);
        step();
    }

    @Override
    public void end(boolean whole) {
        ownerFirst = !ownerFirst;
        for (int poll = 0; ownerFirst && poll < OWNER_POLLS; poll++) {
            step();
        }
        for (int i = 0; i < 2 * RECEIVES; i++) {
            int before = theirArrivals;
            sendTheirs();
            stepUntil("another's datagram", () -> theirArrivals > before);
        }
        assertTrue(whole ? arrived == Initiators.MESSAGES : arrived <= Initiators.MESSAGES, toString());
    }

    @Override
    public void close() {
        another.close();
        super.close();
    }

    @Override
    public String toString() {
        return "arrived=" + arrived + " of another=" + theirArrivals;
    }
}
