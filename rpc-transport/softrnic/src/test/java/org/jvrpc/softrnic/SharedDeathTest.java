package org.jvrpc.softrnic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.testing.ChildJvm;
import org.jvrpc.testing.SharedMemoryFolder;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.ConnectionRequest;
import org.jvrpc.verbs.Destination;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.Listener;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.PostReceive;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.SharedReceiveQueue;
import org.jvrpc.verbs.SharedReceiveQueueAttributes;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.WorkCompletion;
import org.jvrpc.verbs.contract.Deadline;
import org.jvrpc.verbs.contract.Pattern;

/** Processes that send at a time into one SRQ, or to one datagram QP, and are killed meanwhile. */
final class SharedDeathTest {

    private static final int RECEIVES = 63;
    private static final int SLOT = 128;
    private static final int HEADER = 40;

    private Device device;
    private EventChannel channel;
    private MemoryRegion mr;
    private PostReceive call;
    private final WorkCompletion wc = new WorkCompletion();

    @BeforeEach
    void openDevice() {
        device = ShmUnderTest.open();
        channel = device.createChannel();
    }

    @AfterEach
    void closeDevice() {
        device.close();
    }

    /** One child's messages, which must count up. */
    private static final class Sender {
        private Connection connection;
        private long next;
    }

    private SharedReceiveQueue makeShared() {
        var pd = device.allocatePd();
        SharedReceiveQueue srq = pd.createSrq(new SharedReceiveQueueAttributes(RECEIVES, 1));
        assertEquals(RECEIVES, srq.depth());
        mr = pd.allocate(SLOT * RECEIVES, 1);
        call = srq.prepareReceive(ReceiveRequest.of(0, Sge.of(mr, 0, SLOT)));
        for (int slot = 0; slot < RECEIVES; slot++) {
            post(slot);
        }
        return srq;
    }

    private void post(long slot) {
        assertEquals(1, call.wrId(0, slot).offset(0, 0, SLOT * slot).execute(), "slot " + slot);
    }

    private Sender accept(Listener listener, SharedReceiveQueue srq, CompletionQueue cq, Map<Integer, Sender> senders) {
        ShmEnd end = new ShmEnd(device, 1, cq, channel, with -> with.sharedReceive(srq));
        ConnectionRequest[] request = new ConnectionRequest[1];
        Deadline.until("a child that connects", () -> {
            channel.await(1_000_000);
            request[0] = listener.poll();
            return request[0] != null;
        });
        Sender sender = new Sender();
        sender.connection = request[0].accept(end.qp, new byte[0]);
        senders.put(end.qp.number(), sender);
        return sender;
    }

    /** Polls once; posts again what completed. Returns whether there was something. */
    private boolean take(CompletionQueue cq, Map<Integer, Sender> senders, boolean mayFlush) {
        if (!cq.poll(wc)) {
            return false;
        }
        Sender sender = senders.get(wc.qpNumber());
        if (wc.succeeded()) {
            assertEquals(sender.next, mr.buffer(SLOT * wc.wrId(), 8).getLong(0), "lost, doubled, or another's");
            assertEquals(~sender.next, mr.buffer(SLOT * wc.wrId() + 24, 8).getLong(0), "torn");
            sender.next++;
        } else {
            assertTrue(mayFlush && wc.status() == WcStatus.WR_FLUSH_ERR && !sender.connection.isConnected(),
                    wc::toString);
        }
        post(wc.wrId());
        return true;
    }

    @Test
    void othersOnTheSrqGoOnWhenSendersAreKilledAndEveryReceiveComesBackOnce() {
        SplittableRandom random = new SplittableRandom(Pattern.seed("othersOnTheSrqGoOn"));
        SharedReceiveQueue srq = makeShared();
        CompletionQueue cq = device.createCq(CompletionQueueAttributes.ofDepth(1024).withChannel(channel));
        Map<Integer, Sender> senders = new HashMap<>();
        String address = SharedMemoryFolder.freshAddress();
        try (Listener listener = device.listen(address, channel);
                ChildJvm survivor = PeerMain.start("flood", address)) {
            Sender stays = accept(listener, srq, cq, senders);
            survivor.expect("CONNECTED");
            for (int round = 0; round < 5; round++) {
                try (ChildJvm victim = PeerMain.start("flood", address)) {
                    Sender goes = accept(listener, srq, cq, senders);
                    long until = goes.next + 500 + random.nextInt(3000);
                    Deadline deadline = Deadline.usual();
                    while (goes.next < until) {
                        take(cq, senders, false);
                        deadline.turn(() -> "from the victim " + goes.next);
                    }
                    victim.kill();
                    long all = stays.next + 3000;
                    while (goes.connection.isConnected() || stays.next < all) {
                        channel.await(0);
                        take(cq, senders, true);
                        deadline.turn(() -> "from the survivor " + stays.next);
                    }
                    goes.connection.close();
                }
            }
            assertTrue(stays.connection.isConnected());
            survivor.kill();
            Deadline deadline = Deadline.usual();
            while (stays.connection.isConnected() || take(cq, senders, true)) {
                channel.await(0);
                deadline.turn(() -> "the survivor's death");
            }
            stays.connection.close();
        }
        everyReceiveIsStillThere(srq);
    }

    /** Sends, by a new pair, as many messages as receives must be posted. */
    private void everyReceiveIsStillThere(SharedReceiveQueue srq) {
        ShmEnd left = new ShmEnd(device, 1);
        ShmEnd right = new ShmEnd(device, 1, null, channel,
                with -> with.sharedReceive(srq).rnr(QueuePairAttributes.RNR_RETRY_FOREVER, 1000));
        byte[] endpoint = left.qp.endpoint();
        left.qp.connect(right.qp.endpoint());
        right.qp.connect(endpoint);
        boolean[] seen = new boolean[RECEIVES];
        for (int i = 0; i < RECEIVES; i++) {
            assertEquals(1, left.qp.prepareSend(SendRequest.send(i)).execute());
            int taken = i;
            Deadline.until("receive", () -> right.receiveCq.poll(wc), () -> "after " + taken + " of " + RECEIVES);
            assertTrue(wc.succeeded(), wc::toString);
            assertFalse(seen[(int) wc.wrId()], "twice: " + wc);
            seen[(int) wc.wrId()] = true;
        }
    }

    private ShmEnd makeDatagrams(CompletionQueue cq) {
        ShmEnd end = new ShmEnd(device, 64, cq, channel, with -> with.datagram(ShmEnd.QKEY));
        end.qp.ready();
        mr = end.mr;
        call = end.qp.prepareReceive(ReceiveRequest.of(0, end.sge(0, HEADER + 64)));
        for (int slot = 0; slot < RECEIVES; slot++) {
            post(slot);
        }
        return end;
    }

    private static ChildJvm sender(String mode, ShmEnd to) {
        return PeerMain.start(mode, HexFormat.of().formatHex(to.qp.endpoint()), Integer.toString(to.qp.number()));
    }

    /** Polls once; what came must count up for its sender. */
    private boolean takeDatagram(ShmEnd end, Map<Long, Long> last) {
        if (!end.receiveCq.poll(wc)) {
            return false;
        }
        assertTrue(wc.succeeded() && wc.byteLength() == HEADER + 64, wc::toString);
        long number = mr.buffer(SLOT * wc.wrId() + HEADER, 8).getLong(0);
        assertEquals(~number, mr.buffer(SLOT * wc.wrId() + HEADER + 56, 8).getLong(0), "torn");
        long process = mr.buffer(SLOT * wc.wrId() + HEADER + 8, 8).getLong(0);
        Long before = last.put(process, number);
        assertTrue(before == null || number > before, () -> number + " after " + before + " of process " + process);
        post(wc.wrId());
        return true;
    }

    @Test
    void otherSendersOfDatagramsGoOnWhenSomeAreKilledAndEveryReceiveComesBackOnce() {
        SplittableRandom random = new SplittableRandom(Pattern.seed("otherSendersOfDatagramsGoOn"));
        CompletionQueue cq = device.createCq(CompletionQueueAttributes.ofDepth(256).withChannel(channel));
        ShmEnd end = makeDatagrams(cq);
        try (ChildJvm survivor = sender("datagrams", end)) {
            survivor.expect("SENDING");
            for (int round = 0; round < 5; round++) {
                try (ChildJvm victim = sender("datagrams", end)) {
                    victim.expect("SENDING");
                    receive(end, 2000 + random.nextInt(5000));
                    victim.kill();
                    receive(end, 3000);
                }
            }
        }
        Map<Long, Long> last = new HashMap<>();
        Deadline deadline = Deadline.ofMillis(200);
        while (!deadline.isOver()) {
            takeDatagram(end, last); // and looks for what the last of them left
        }
        end.qp.error();
        boolean[] seen = new boolean[RECEIVES];
        for (int i = 0; i < RECEIVES; i++) {
            Deadline.until("flush", () -> cq.poll(wc));
            assertEquals(WcStatus.WR_FLUSH_ERR, wc.status());
            assertFalse(seen[(int) wc.wrId()], "twice: " + wc);
            seen[(int) wc.wrId()] = true;
        }
        assertFalse(cq.poll(wc));
    }

    private void receive(ShmEnd end, int count) {
        Map<Long, Long> last = new HashMap<>();
        Deadline deadline = Deadline.usual();
        for (int received = 0; received < count;) {
            received += takeDatagram(end, last) ? 1 : 0;
            deadline.turn(() -> "received from " + last);
        }
    }

    @Test
    void aDatagramOfAnotherProcessWakesWhoSleeps() {
        ShmEnd end = makeDatagrams(null);
        try (ChildJvm child = sender("beat", end)) {
            child.expect("SENDING");
            Map<Long, Long> last = new HashMap<>();
            for (int received = 0; received < 30;) {
                end.receiveCq.arm();
                if (takeDatagram(end, last)) {
                    received++;
                } else {
                    assertTrue(channel.await(Deadline.BOUND_NS), "not woken");
                }
            }
        }
    }

    @Test
    void sendsToAProcessThatIsKilledSucceed() {
        ShmEnd own = new ShmEnd(device, 4, null, channel, with -> with.datagram(ShmEnd.QKEY));
        own.qp.ready();
        try (ChildJvm child = PeerMain.start("target", "none")) {
            String[] target = child.expect("TARGET").split(" ");
            var there = new Destination(own.pd.createAh(HexFormat.of().parseHex(target[0])),
                    Integer.parseInt(target[1]), ShmEnd.QKEY);
            var send = own.qp.prepareSend(SendRequest.datagram(1, there, own.sge(0, 8)).signalled());
            for (int i = 0; i < 20; i++) {
                if (i == 10) {
                    child.kill();
                }
                assertEquals(1, send.execute());
                Deadline.until("send", () -> own.sendCq.poll(wc));
                assertTrue(wc.succeeded(), wc::toString);
            }
        }
    }
}
