package org.jvrpc.softrnic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.testing.ChildJvm;
import org.jvrpc.testing.SharedMemoryFolder;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.ConnectionException;
import org.jvrpc.verbs.ConnectionRequest;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.Listener;
import org.jvrpc.verbs.PostReceive;
import org.jvrpc.verbs.PostSend;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.WorkCompletion;
import org.jvrpc.verbs.contract.Background;
import org.jvrpc.verbs.contract.Deadline;

/** The peer is another process, and dies or stops at any moment. */
final class ProcessDeathTest {

    private static final long SECOND_NS = 1_000_000_000L;
    private static final int RECEIVES = 64;

    private Device device;
    private EventChannel channel;
    private String address;
    private final WorkCompletion wc = new WorkCompletion();

    @BeforeEach
    void openDevice() {
        device = ShmUnderTest.open();
        channel = device.createChannel();
        address = SharedMemoryFolder.freshAddress();
    }

    @AfterEach
    void closeDevice() {
        device.close();
    }

    /** A child that sends to this process: what arrived so far must count up. */
    private final class Inbound {

        final ShmEnd end;
        final Connection connection;
        private final PostReceive call;
        private long next;

        Inbound(Listener listener, CompletionQueue shared) {
            end = new ShmEnd(device, RECEIVES, shared, channel);
            call = end.qp.prepareReceive(ReceiveRequest.of(0, end.sge(0, 64)));
            for (int i = 0; i < RECEIVES; i++) {
                assertEquals(1, call.wrId(0, i).offset(0, 0, 64L * i).execute());
            }
            ConnectionRequest[] request = new ConnectionRequest[1];
            Deadline.until("a child that connects", () -> {
                channel.await(1_000_000);
                request[0] = listener.poll();
                return request[0] != null;
            });
            connection = request[0].accept(end.qp, new byte[0]);
        }

        /** Checks one message and posts its receive again. */
        void check() {
            assertEquals(next, wc.wrId());
            long at = 64 * (next % RECEIVES);
            assertEquals(next, end.mr.buffer(at, 8).getLong(0));
            assertEquals(~next, end.mr.buffer(at + 24, 8).getLong(0), "a torn message");
            assertEquals(1, call.wrId(0, next + RECEIVES).offset(0, 0, at).execute());
            next++;
        }

        /** Receives so many messages. */
        void receive(int count) {
            Deadline deadline = Deadline.usual();
            for (long until = next + count; next < until;) {
                if (end.receiveCq.poll(wc)) {
                    assertTrue(wc.succeeded(), wc::toString);
                    check();
                }
                deadline.turn(() -> "received " + next);
            }
        }

        /** Receives what is there, then the flush of everything posted, in order. */
        void drain() {
            Deadline deadline = Deadline.usual();
            long flushed = 0;
            long first = -1;
            while (first < 0 || flushed < RECEIVES) {
                if (end.receiveCq.poll(wc)) {
                    if (wc.succeeded()) {
                        assertEquals(0, flushed, "a success behind a flush");
                        check();
                    } else {
                        first = first < 0 ? next : first;
                        assertEquals(WcStatus.WR_FLUSH_ERR, wc.status());
                        assertEquals(first + flushed++, wc.wrId(), "flushed out of order");
                    }
                }
                long now = flushed;
                deadline.turn(() -> "flushed " + now + " of " + RECEIVES);
            }
        }
    }

    private void assertSeen(Connection connection) {
        Deadline deadline = Deadline.usual();
        while (connection.isConnected()) {
            channel.await(0);
            deadline.turn(() -> "the death of the peer was not seen");
        }
        assertEquals(QueuePairState.ERR, connection.qp().state());
    }

    @Test
    void devicesAreMadeWhileOthersSweep() {
        try (ChildJvm sweeper = PeerMain.start("sweep", address)) {
            sweeper.expect("SWEEPING");
            for (int i = 0; i < 400; i++) {
                try (Device fresh = ShmUnderTest.open()) {
                    fresh.allocatePd().allocate(64, Access.LOCAL_WRITE);
                }
            }
        }
    }

    @Test
    void aSenderThatIsKilledIsSeenAndEverythingPostedComesBack() {
        try (Listener listener = device.listen(address, channel); ChildJvm child = PeerMain.start("flood", address)) {
            Inbound inbound = new Inbound(listener, null);
            inbound.receive(20_000);
            child.kill();
            assertSeen(inbound.connection);
            inbound.drain();
            assertFalse(inbound.end.receiveCq.poll(wc));
        }
    }

    @Test
    void othersOnTheSameCqGoOnWhenSendersAreKilled() {
        CompletionQueue shared = device.createCq(CompletionQueueAttributes.ofDepth(1024).withChannel(channel));
        try (Listener listener = device.listen(address, channel);
                ChildJvm survivor = PeerMain.start("flood", address)) {
            Inbound stays = new Inbound(listener, shared);
            survivor.expect("CONNECTED");
            for (int round = 0; round < 4; round++) {
                try (ChildJvm victim = PeerMain.start("flood", address)) {
                    Inbound goes = new Inbound(listener, shared);
                    receiveBoth(stays, goes, 2000 + 777 * round);
                    victim.kill();
                    Deadline deadline = Deadline.usual();
                    while (goes.connection.isConnected()) {
                        channel.await(0);
                        deadline.turn(() -> "the death was not seen");
                    }
                    receiveBoth(stays, goes, 5000);
                    goes.end.qp.close();
                }
            }
            assertTrue(stays.connection.isConnected());
        }
    }

    /** Receives until the one that stays has got so many more. */
    private void receiveBoth(Inbound stays, Inbound goes, int count) {
        Deadline deadline = Deadline.usual();
        for (long until = stays.next + count; stays.next < until;) {
            if (stays.end.receiveCq.poll(wc)) {
                boolean staying = wc.qpNumber() == stays.end.qp.number();
                assertTrue(wc.succeeded() || !staying && wc.status() == WcStatus.WR_FLUSH_ERR, wc::toString);
                if (wc.succeeded()) {
                    (staying ? stays : goes).check();
                }
            }
            deadline.turn(() -> "received " + stays.next + " and " + goes.next);
        }
    }

    private Connection connect(ShmEnd end) {
        return device.connect(address, end.qp, new byte[0], channel, 10 * SECOND_NS);
    }

    @Test
    void aReceiverThatIsKilledEndsTheSendsOfItsPeer() {
        try (ChildJvm child = PeerMain.start("sink", address)) {
            child.expect("LISTENING");
            ShmEnd end = new ShmEnd(device, 1, null, channel);
            Connection connection = connect(end);
            PostSend call = end.qp.prepareSend(SendRequest.send(0, end.sge(0, 32)).signalled());
            long posted = 0;
            for (long done = 0; done < 5000;) {
                posted += posted - done < 32 ? call.wrId(0, posted).execute() : 0;
                if (end.sendCq.poll(wc)) {
                    assertTrue(wc.succeeded() && wc.wrId() == done++, wc::toString);
                }
            }
            child.kill();
            assertSeen(connection);
            assertEquals(1, call.wrId(0, -1).execute());
            Deadline deadline = Deadline.usual();
            do {
                while (!end.sendCq.poll(wc)) {
                    deadline.turn(wc::toString);
                }
            } while (wc.wrId() != -1);
            assertEquals(WcStatus.WR_FLUSH_ERR, wc.status());
        }
    }

    @Test
    void aSendThatWaitsForAReceiveEndsWhenTheReceiverIsKilled() {
        try (ChildJvm child = PeerMain.start("deaf", address)) {
            child.expect("LISTENING");
            ShmEnd end = new ShmEnd(device, 1, null, channel);
            Connection connection = connect(end);
            PostSend call = end.qp.prepareSend(
                    SendRequest.send(1, end.sge(0, 32)), SendRequest.send(2, end.sge(0, 32)).signalled());
            assertEquals(2, call.execute());
            assertFalse(end.sendCq.poll(wc));
            child.kill();
            assertSeen(connection);
            for (int wrId = 1; wrId <= 2; wrId++) {
                Deadline.until("flush", () -> end.sendCq.poll(wc));
                assertEquals(wrId, wc.wrId());
                assertTrue(wc.status() == WcStatus.WR_FLUSH_ERR || wc.status() == WcStatus.RETRY_EXC_ERR, wc::toString);
            }
        }
    }

    @Test
    void aThreadThatWaitsIsWokenByTheDeathOfItsPeer() {
        try (ChildJvm child = PeerMain.start("deaf", address)) {
            child.expect("LISTENING");
            ShmEnd end = new ShmEnd(device, 1, null, channel);
            Connection connection = connect(end);
            end.receiveCq.arm();
            Background<Boolean> waiter = Background.start("waiter", () -> {
                boolean woken = true;
                while (connection.isConnected() && woken) {
                    woken = channel.await(Deadline.BOUND_NS);
                }
                return woken;
            });
            child.expect("ACCEPTED");
            child.kill();
            assertTrue(waiter.join(60), "it slept until its time was over");
        }
    }

    private static Set<Path> files() throws IOException {
        try (var walk = Files.walk(SharedMemoryFolder.path())) {
            return walk.collect(Collectors.toSet());
        }
    }

    @Test
    void theNextDeviceRemovesWhatADeadProcessLeft() throws IOException {
        try (ChildJvm child = PeerMain.start("mute", address)) {
            Path folder = SharedMemoryFolder.path().resolve(child.expect("DEVICE"));
            child.expect("LISTENING");
            assertTrue(Files.exists(folder), "the device of a living process");
            ShmUnderTest.open().close();
            assertTrue(Files.exists(folder), "a living process's files are left alone");
            child.kill();
            assertTrue(Files.exists(folder), "nobody cleaned yet");
            ShmUnderTest.open().close();
            assertFalse(Files.exists(folder), "left behind: " + files());
            assertTrue(files().stream().noneMatch(file -> file.toString().contains("-" + child.pid() + "-")));
        }
    }

    @Test
    void aStoppedProcessIsNotTakenForDead() throws IOException {
        try (ChildJvm child = PeerMain.start("device")) {
            Path folder = SharedMemoryFolder.path().resolve(child.expect("DEVICE"));
            child.stop();
            ShmUnderTest.open().close();
            assertTrue(Files.exists(folder));
            child.resume();
        }
    }

    @Test
    void theNameOfAKilledListenerIsFreeAndNobodyIsThere() {
        try (ChildJvm child = PeerMain.start("mute", address)) {
            child.expect("LISTENING");
            assertThrows(VerbsException.class, () -> device.listen(address, channel));
            child.kill();
            ShmEnd end = new ShmEnd(device, 1, null, channel);
            assertEquals(ConnectionException.Reason.UNREACHABLE,
                    assertThrows(ConnectionException.class, () -> connect(end)).reason());
            device.listen(address, channel).close();
        }
    }

    @Test
    void aListenerThatStopsIsATimeout() {
        try (ChildJvm child = PeerMain.start("sink", address)) {
            child.expect("LISTENING");
            child.stop();
            ShmEnd end = new ShmEnd(device, 1, null, channel);
            long startNs = System.nanoTime();
            ConnectionException e = assertThrows(ConnectionException.class, () -> device.connect(
                    address, end.qp, new byte[0], channel, SECOND_NS / 5));
            assertEquals(ConnectionException.Reason.TIMEOUT, e.reason());
            assertTrue(System.nanoTime() - startNs < 20 * SECOND_NS);
            child.resume();
        }
    }

    @Test
    void aListenerThatIsKilledBeforeItAnswersEndsTheWaitOfItsPeer() {
        try (ChildJvm child = PeerMain.start("mute", address)) {
            child.expect("LISTENING");
            ShmEnd end = new ShmEnd(device, 1, null, channel);
            Background<Connection> connector = Background.start("connector", () -> device.connect(
                    address, end.qp, new byte[0], channel, 60 * SECOND_NS));
            Deadline pause = Deadline.ofMillis(50);
            while (!pause.isOver()) {
                Thread.onSpinWait();
            }
            child.kill();
            assertThrows(ConnectionException.class, () -> connector.join(60));
        }
    }

    @Test
    void aReceiverThatStopsAndGoesOnLosesNothing() {
        try (ChildJvm child = PeerMain.start("sink", address)) {
            child.expect("LISTENING");
            ShmEnd end = new ShmEnd(device, 1, null, channel);
            Connection connection = connect(end);
            PostSend call = end.qp.prepareSend(SendRequest.send(0, end.sge(0, 32)).signalled());
            child.expect("ACCEPTED");
            child.stop();
            int posted = 0;
            int done = 0;
            Deadline deadline = Deadline.usual();
            for (int polls = 0; polls < 10_000; polls++) {
                posted += posted - done < 32 ? call.execute() : 0;
                done += end.sendCq.poll(wc) ? 1 : 0;
                if (done < 64) {
                    polls = 0;
                    int now = done;
                    deadline.turn(() -> "done " + now);
                }
            }
            assertTrue(done < 1000, "its receives are used up, done=" + done);
            assertTrue(connection.isConnected());
            assertEquals(QueuePairState.RTS, end.qp.state());
            child.resume();
            Deadline all = Deadline.usual();
            while (done < 10_000) {
                posted += posted < 10_000 && posted - done < 32 ? call.execute() : 0;
                done += end.sendCq.poll(wc) ? 1 : 0;
                assertTrue(done == 0 || wc.succeeded(), wc::toString);
                int now = done;
                all.turn(() -> "done " + now);
            }
            assertEquals("10000", last(child, 10));
        }
    }

    private static String last(ChildJvm child, int reports) {
        String last = "";
        for (int i = 0; i < reports; i++) {
            last = child.expect("RECEIVED");
        }
        return last;
    }
}
