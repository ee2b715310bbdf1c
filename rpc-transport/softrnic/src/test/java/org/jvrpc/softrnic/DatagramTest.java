package org.jvrpc.softrnic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.jvrpc.softrnic.datagram.DatagramContext;
import org.jvrpc.testing.ChildJvm;
import org.jvrpc.testing.SharedMemoryFolder;
import org.jvrpc.verbs.AddressHandle;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.Destination;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.Listener;
import org.jvrpc.verbs.PostSend;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.SharedReceiveQueueAttributes;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.WorkCompletion;
import org.jvrpc.verbs.contract.Background;
import org.jvrpc.verbs.contract.Deadline;
import org.jvrpc.verbs.contract.Pattern;
import org.jvrpc.verbs.host.ProcessId;

/** What senders of datagrams, their handles and their receivers are told, refused and counted. */
final class DatagramTest extends DatagramFixture {

    @Tag("slow")
    @Test
    void aSenderDropsItsMessageWhenALivingOneHoldsTheQpForLong() {
        try (ChildJvm child = PeerMain.start("device", "none")) {
            child.expect("DEVICE");
            assertTrue(DatagramContext.claim(memory, context, 0, ProcessId.of(child.pid())));
            long startNs = System.nanoTime();
            send(sender, there, 1);
            assertTrue(System.nanoTime() - startNs < Deadline.BOUND_NS);
            assertEquals(1, control.dropped(DatagramContext.Drop.BUSY));
            DatagramContext.release(memory, context);
            send(sender, there, 2);
            expect(0, 2);
        }
    }

    @Test
    void aSenderInTheReceiversProcessWakesItWithoutALook() {
        EventChannel other = device.createChannel(); // of another CQ: all of the device are woken
        device.createCq(CompletionQueueAttributes.ofDepth(4).withChannel(other));
        send(sender, there, 1);
        assertFalse(other.await(0), "nobody waits");
        shared.arm();
        send(sender, there, 2);
        assertTrue(other.await(0));
    }

    @Test
    void dropsAreCountedByReason() {
        long nobody = device.node().routes().undeliverable();
        send(sender, new Destination(there.handle(), there.qpNumber(), 9), 1);
        send(sender, new Destination(there.handle(), 0x777777, ShmEnd.QKEY), 2);
        assertEquals(1, sender.qp.prepareSend(SendRequest.datagram(3, there, sender.sge(0, 65))).execute());
        for (int i = 0; i < RECEIVES; i++) {
            send(sender, there, i);
            expect(i, i);
        }
        send(sender, there, 4);
        int[] counts = Arrays.stream(DatagramContext.Drop.values()).mapToInt(control::dropped).toArray();
        assertEquals(List.of(1, 1, 1, 0, 0), Arrays.stream(counts).boxed().toList());
        assertEquals(nobody + 1, device.node().routes().undeliverable());
    }

    @Test
    void sendersAtATimeLoseWhatIsCountedAndNothingElse() {
        int senders = 4;
        int count = 5000;
        PostReceiveLoop loop = new PostReceiveLoop();
        List<Background<Integer>> threads = new ArrayList<>();
        for (int s = 0; s < senders; s++) {
            ShmEnd end = datagrams(null);
            Destination to = destination(end, receiver);
            threads.add(Background.start("sender-" + s, () -> flood(end, to, count)));
        }
        loop.until(threads);
        threads.forEach(thread -> assertEquals(count, thread.join(60)));
        int dropped = Arrays.stream(DatagramContext.Drop.values()).mapToInt(control::dropped).sum();
        System.out.println("sendersAtATime: received " + loop.received + " dropped " + dropped);
        assertEquals(senders * count, loop.received + dropped);
        assertTrue(loop.received >= RECEIVES, "received=" + loop.received);
    }

    /** Posts each receive again. */
    private final class PostReceiveLoop {

        private final Map<Integer, Long> last = new HashMap<>();
        private int received;

        void until(List<Background<Integer>> threads) {
            var call = receiver.qp.prepareReceive(ReceiveRequest.of(0, receiver.sge(0, HEADER + 64)));
            Deadline deadline = Deadline.ofMillis(60_000);
            for (boolean ended = false; !ended;) {
                ended = threads.stream().allMatch(Background::isDone);
                while (shared.poll(wc)) {
                    assertTrue(wc.succeeded() && wc.byteLength() == HEADER + 8, wc::toString);
                    long number = receiver.mr.buffer(128 * wc.wrId() + HEADER, 8).getLong(0);
                    Long before = last.put(wc.sourceQp(), number);
                    assertTrue(before == null || number > before, () -> number + " after " + before);
                    received++;
                    assertEquals(1, call.wrId(0, wc.wrId()).offset(0, 0, 128 * wc.wrId()).execute());
                }
                deadline.turn(() -> "received " + received);
            }
        }
    }

    private static int flood(ShmEnd end, Destination to, int count) {
        PostSend call = end.qp.prepareSend(SendRequest.datagram(0, to, end.sge(0, 8)).signalled());
        WorkCompletion done = new WorkCompletion();
        for (int n = 0; n < count; n++) {
            end.mr.buffer(0, 8).putLong(0, n);
            assertEquals(1, call.wrId(0, n).execute());
            Deadline.until("send", () -> end.sendCq.poll(done));
        }
        return count;
    }

    @Test
    void aHandleThatIsClosedFailsTheSend() {
        AddressHandle handle = sender.pd.createAh(receiver.qp.endpoint());
        Destination to = new Destination(handle, receiver.qp.number(), ShmEnd.QKEY);
        send(sender, to, 1);
        expect(0, 1);
        handle.close();
        sender.pd.createAh(receiver.qp.endpoint());
        assertEquals(1, sender.qp.prepareSend(SendRequest.datagram(5, to, sender.sge(0, 8))).execute());
        Deadline.until("failure", () -> sender.sendCq.poll(wc));
        assertEquals(WcStatus.LOC_QP_OP_ERR, wc.status());
        assertEquals(QueuePairState.ERR, sender.qp.state());
    }

    @Test
    void aHandleOfAnotherDomainFailsTheSend() {
        Destination to = new Destination(
                device.allocatePd().createAh(receiver.qp.endpoint()), receiver.qp.number(), ShmEnd.QKEY);
        assertEquals(1, sender.qp.prepareSend(SendRequest.datagram(5, to, sender.sge(0, 8))).execute());
        Deadline.until("failure", () -> sender.sendCq.poll(wc));
        assertEquals(WcStatus.LOC_QP_OP_ERR, wc.status());
    }

    @Test
    void aReceiveWithABadKeyFailsTheReceiversQpAlone() {
        ShmEnd bad = datagrams(null);
        assertEquals(1, bad.qp.prepareReceive(ReceiveRequest.of(
                7, new Sge(bad.mr.address(), 100, bad.mr.lkey() ^ 0x3300))).execute());
        send(sender, destination(sender, bad), 1);
        Deadline.until("failure", () -> bad.receiveCq.poll(wc));
        assertTrue(wc.wrId() == 7 && wc.status() == WcStatus.LOC_PROT_ERR, wc::toString);
        assertEquals(QueuePairState.ERR, bad.qp.state());
        send(sender, there, 2);
        expect(0, 2);
    }

    @Test
    void aDatagramQpIsNotConnectedThroughAListener() {
        ShmEnd end = new ShmEnd(device, 1, null, sender.channel, with -> with.datagram(1));
        try (Listener listener = device.listen(SharedMemoryFolder.freshAddress(), sender.channel)) {
            VerbsException e = assertThrows(VerbsException.class, () -> device.connect(
                    listener.address(), end.qp, new byte[0], sender.channel, 1_000_000_000L));
            assertTrue(e.getMessage().contains("datagram"), e.getMessage());
            sender.channel.await(0);
            assertNull(listener.poll(), "nobody was asked");
        }
        assertEquals(QueuePairState.INIT, end.qp.state());
    }

    @Test
    void qpsThatCannotBeAreRefused() {
        CompletionQueue exclusive = device.createCq(new CompletionQueueAttributes(8, 64, true, false, null));
        assertThrows(VerbsException.class,
                () -> new ShmEnd(device, 1, exclusive, sender.channel, with -> with.datagram(1)));
        var srq = sender.pd.createSrq(new SharedReceiveQueueAttributes(4, 1));
        assertThrows(VerbsException.class,
                () -> new ShmEnd(device, 1, shared, sender.channel, with -> with.datagram(1).sharedReceive(srq)));
    }

    @Test
    void thousandsOfQpsAreReachedAndForgotten() {
        long seed = Pattern.seed("thousandsOfQps");
        List<ShmEnd> ends = new ArrayList<>();
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 600; i++) {
            if (ends.size() < 40 || random.nextBoolean()) {
                ends.add(datagrams(null));
            } else {
                ends.remove(random.nextInt(ends.size())).close();
            }
            ShmEnd end = ends.get(random.nextInt(ends.size()));
            assertEquals(1, end.qp.prepareReceive(ReceiveRequest.of(i, end.sge(0, HEADER + 8))).execute());
            send(sender, new Destination(there.handle(), end.qp.number(), ShmEnd.QKEY), i);
            int wrId = i;
            Deadline.until("arrival", () -> end.receiveCq.poll(wc));
            assertEquals(wrId, wc.wrId());
        }
    }
}
