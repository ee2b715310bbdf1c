package org.jvrpc.verbs.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.PostReceive;
import org.jvrpc.verbs.PostSend;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.WcOpcode;
import org.jvrpc.verbs.WorkCompletion;

/** Two threads at once, each the owner of one end: order and visibility without any other synchronisation. */
public abstract class OrderingContract extends DeviceContract {

    private static final int SLOTS = 16;
    private static final int SLOT = 4096;
    private static final int INBOX = SLOTS * SLOT;
    private static final int SECONDS = 100;

    protected OrderingContract(DeviceUnderTest dut) {
        super(dut);
    }

    private static Setup setup(int cqeBytes, boolean inPlace) {
        return Setup.usual().depth(SLOTS, SLOTS).cq(64, cqeBytes, inPlace).rnr(7, 1000).memory(4L * INBOX);
    }

    /** The size of message {@code n}: the same at both ends. */
    private static int size(long seed, int n) {
        SplittableRandom random = new SplittableRandom(seed + n);
        return random.nextInt(5) == 0 ? random.nextInt(SLOT) : random.nextInt(80);
    }

    private static void poll(CompletionQueue cq, WorkCompletion wc, Deadline deadline) {
        while (!cq.poll(wc)) {
            deadline.turn(() -> "last " + wc);
        }
        if (!wc.succeeded()) {
            throw new AssertionError("failed: " + wc);
        }
    }

    /** Sends messages {@code 0..count-1}; message n is the bytes of pattern seed+n in slot n modulo SLOTS. */
    private static int sender(End end, long seed, int count) {
        PostSend call = end.qp.prepareSend(SendRequest.send(0, end.sge(0, 0)));
        WorkCompletion wc = new WorkCompletion();
        Deadline deadline = Deadline.ofMillis(SECONDS * 1000);
        int half = SLOTS / 2;
        for (int n = 0; n < count; n++) {
            int slot = n % SLOTS;
            if (n >= SLOTS && n % half == 0) {
                poll(end.sends.cq(), wc, deadline);
                assertEquals(n - half - 1, wc.wrId());
            }
            byte[] data = Pattern.bytes(seed + n, size(seed, n));
            end.put((long) slot * SLOT, data);
            call.wrId(0, n).offset(0, 0, (long) slot * SLOT).length(0, 0, data.length)
                    .signalled(0, n % half == half - 1 || n == count - 1);
            assertEquals(1, call.execute(), "send queue full");
        }
        // A send that waits for a receive goes on inside poll only.
        do {
            poll(end.sends.cq(), wc, deadline);
        } while (wc.wrId() != count - 1);
        return count;
    }

    /** Receives and checks messages, the content at once when the completion is seen. */
    private static int receiver(End end, long seed, int count) {
        PostReceive call = end.qp.prepareReceive(ReceiveRequest.of(0, end.sge(INBOX, SLOT)));
        for (int n = 0; n < SLOTS; n++) {
            assertEquals(1, call.wrId(0, n).offset(0, 0, (long) n * SLOT).execute());
        }
        WorkCompletion wc = new WorkCompletion();
        Deadline deadline = Deadline.ofMillis(SECONDS * 1000);
        for (int n = 0; n < count; n++) {
            poll(end.receives.cq(), wc, deadline);
            assertEquals(n, wc.wrId());
            assertEquals(WcOpcode.RECV, wc.opcode());
            byte[] expected = Pattern.bytes(seed + n, size(seed, n));
            assertEquals(expected.length, wc.byteLength());
            long at = INBOX + (long) (n % SLOTS) * SLOT;
            ByteBuffer buffer = wc.inlineBuffer() != null
                    ? wc.inlineBuffer().slice(wc.inlineOffset(), expected.length)
                    : end.mr.buffer(at, expected.length);
            int differs = buffer.mismatch(ByteBuffer.wrap(expected));
            assertTrue(differs < 0, "message " + n + " of " + expected.length + " bytes differs at " + differs);
            assertEquals(1, call.wrId(0, n + SLOTS).offset(0, 0, (long) (n % SLOTS) * SLOT).execute());
        }
        return count;
    }

    @Tag("slow")
    @ParameterizedTest(name = "cqeBytes={0} payloadInPlace={1}")
    @CsvSource({"64,false", "128,true"})
    void messagesArriveWholeAndInOrderBetweenTwoThreads(int cqeBytes, boolean inPlace) {
        long seed = Pattern.seed("messagesArriveWholeAndInOrderBetweenTwoThreads");
        int count = Pace.rounds(dut.rounds(40_000));
        Pair pair = rig.pair(setup(cqeBytes, inPlace));
        Background<Integer> receiver = Background.start("receiver", () -> receiver(pair.right(), seed, count));
        Background<Integer> sender = Background.start("sender", () -> sender(pair.left(), seed, count));
        sender.join(SECONDS);
        receiver.join(SECONDS);
    }

    @Tag("slow")
    @Test
    void bothDirectionsAtOnceArriveWholeAndInOrder() {
        long seed = Pattern.seed("bothDirectionsAtOnceArriveWholeAndInOrder");
        int count = Pace.rounds(dut.rounds(4_000));
        Pair pair = rig.pair(setup(64, false));
        Background<Integer> left = Background.start("left", () -> bothWays(pair.left(), seed, seed ^ 1, count));
        Background<Integer> right = Background.start("right", () -> bothWays(pair.right(), seed ^ 1, seed, count));
        assertEquals(count, left.join(SECONDS));
        assertEquals(count, right.join(SECONDS));
    }

    /** One thread that sends and receives, as a server and a client of each other do. */
    private static int bothWays(End end, long outSeed, long inSeed, int count) {
        PostReceive receive = end.qp.prepareReceive(ReceiveRequest.of(0, end.sge(INBOX, SLOT)));
        PostSend send = end.qp.prepareSend(SendRequest.send(0, end.sge(0, 0)).signalled());
        for (int n = 0; n < SLOTS; n++) {
            assertEquals(1, receive.wrId(0, n).offset(0, 0, (long) n * SLOT).execute());
        }
        WorkCompletion wc = new WorkCompletion();
        Deadline deadline = Deadline.ofMillis(SECONDS * 1000);
        int sent = 0;
        int done = 0;
        int received = 0;
        while (received < count || done < count) {
            if (sent < count && sent - done < SLOTS) {
                byte[] data = Pattern.bytes(outSeed + sent, size(outSeed, sent));
                long slot = (long) (sent % SLOTS) * SLOT;
                end.put(slot, data);
                assertEquals(1, send.wrId(0, sent++).offset(0, 0, slot).length(0, 0, data.length).execute());
            }
            if (end.sends.cq().poll(wc)) {
                assertTrue(wc.succeeded() && wc.wrId() == done++, wc::toString);
            }
            if (end.receives.cq().poll(wc)) {
                assertTrue(wc.succeeded() && wc.wrId() == received, wc::toString);
                byte[] expected = Pattern.bytes(inSeed + received, size(inSeed, received));
                long slot = (long) (received++ % SLOTS) * SLOT;
                end.assertBytes(expected, INBOX + slot);
                assertEquals(1, receive.wrId(0, received + SLOTS - 1).offset(0, 0, slot).execute());
            }
            int now = received;
            deadline.turn(() -> "received " + now + " of " + count);
        }
        return received;
    }

    @Tag("slow")
    @Test
    void aQpThatOneThreadPostsToAndAnotherPollsExecutesEachSendOnce() {
        Pair pair = rig.pair(setup(64, false));
        int count = Pace.rounds(dut.rounds(10_000));
        AtomicInteger completed = new AtomicInteger();
        Background<Integer> receiver = Background.start("receiver", () -> receiveSlowly(pair.right(), count));
        Background<Integer> poller = Background.start("poller", () -> {
            WorkCompletion wc = new WorkCompletion();
            Deadline deadline = Deadline.ofMillis(SECONDS * 1000);
            for (int n = 0; n < count; n++) {
                poll(pair.left().sends.cq(), wc, deadline);
                assertEquals(n, wc.wrId());
                completed.set(n + 1);
            }
            return count;
        });
        PostSend call = pair.left().qp.prepareSend(SendRequest.send(0, pair.left().sge(0, 8)).signalled());
        Deadline deadline = Deadline.ofMillis(SECONDS * 1000);
        for (int n = 0; n < count && !poller.isDone() && !receiver.isDone(); n++) {
            while (n - completed.get() >= SLOTS && !poller.isDone()) {
                deadline.turn(() -> "completed " + completed);
            }
            pair.left().putLong(8L * (n % SLOTS), n);
            assertEquals(1, call.wrId(0, n).offset(0, 0, 8L * (n % SLOTS)).execute());
        }
        assertEquals(count, poller.join(SECONDS));
        assertEquals(count, receiver.join(SECONDS));
    }

    /** Posts one receive at a time, so that the sender finds none again and again. */
    private static int receiveSlowly(End end, int count) {
        PostReceive call = end.qp.prepareReceive(ReceiveRequest.of(0, end.sge(INBOX, 8)));
        WorkCompletion wc = new WorkCompletion();
        Deadline deadline = Deadline.ofMillis(SECONDS * 1000);
        for (int n = 0; n < count; n++) {
            assertEquals(1, call.wrId(0, n).execute());
            poll(end.receives.cq(), wc, deadline);
            assertEquals(n, wc.wrId());
            assertEquals(n, end.getLong(INBOX), "a message was lost or came twice");
        }
        return count;
    }

    @Tag("slow")
    @Test
    void aWriteIsSeenWholeWhenTheSendBehindItArrives() {
        Pair pair = rig.pair(setup(64, false));
        int rounds = Pace.rounds(dut.rounds(3_000));
        AtomicInteger taken = new AtomicInteger();
        Background<Integer> reader = Background.start("reader", () -> readRounds(pair.right(), rounds, taken));
        End left = pair.left();
        End right = pair.right();
        PostSend call = left.qp.prepareSend(
                SendRequest.write(1, right.address(INBOX), right.mr.rkey(), left.sge(0, 512)),
                SendRequest.send(2, left.sge(0, 8)).signalled());
        WorkCompletion wc = new WorkCompletion();
        Deadline deadline = Deadline.ofMillis(SECONDS * 1000);
        for (int n = 1; n <= rounds && !reader.isDone(); n++) {
            for (int word = 0; word < 64; word++) {
                left.putLong(8L * word, n);
            }
            assertEquals(2, call.execute());
            poll(left.sends.cq(), wc, deadline);
            while (taken.get() < n && !reader.isDone()) {
                deadline.turn(() -> "the reader stopped at " + taken);
            }
        }
        assertEquals(rounds, reader.join(SECONDS));
    }

    /** Sees nothing of the writer but completions; only the writer waits for {@code taken}. */
    private static int readRounds(End right, int rounds, AtomicInteger taken) {
        WorkCompletion wc = new WorkCompletion();
        Deadline deadline = Deadline.ofMillis(SECONDS * 1000);
        PostReceive call = right.qp.prepareReceive(ReceiveRequest.of(0, right.sge(0, 8)));
        assertEquals(1, call.execute());
        ByteBuffer inbox = right.mr.buffer(INBOX, 512);
        for (int n = 1; n <= rounds; n++) {
            poll(right.receives.cq(), wc, deadline);
            for (int word = 0; word < 64; word++) {
                assertEquals(n, inbox.getLong(8 * word), "word " + word);
            }
            assertEquals(1, call.execute());
            taken.set(n);
        }
        return rounds;
    }
}
