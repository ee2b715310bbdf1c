package org.jvrpc.verbs.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.PostSend;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.WcOpcode;
import org.jvrpc.verbs.WcStatus;

/**
 * {@link PostSend#push}: what is pushed arrives as what is posted does, and what cannot be pushed is refused with
 * nothing done. Devices that push nothing refuse everything.
 */
public abstract class PushContract extends DeviceContract {

    private static final int HEADER = PostSend.HEADER_BYTES;
    private static final long FIRST = 0x0807060504030201L;
    private static final long SECOND = 0x100f0e0d0c0b0a09L;
    private static final int BODY = 64;
    private static final int AT = 8192;
    private static final int LONGEST = 2000;

    private final boolean pushes;

    PushContract(DeviceUnderTest dut) {
        super(dut);
        this.pushes = dut.pushes();
    }

    private static PostSend prepare(End end) {
        return end.qp.prepareSend(SendRequest.send(1, end.sge(0, HEADER), end.sge(BODY, LONGEST)));
    }

    /** Sends as the users of a push do: false when it was posted. */
    private static boolean send(End end, PostSend call, long first, long second, int length) {
        if (call.push(first, second, length)) {
            return true;
        }
        postSignalled(end, call, first, second, length);
        return false;
    }

    /** Posts, and waits for the completion, which makes room in the send queue. */
    private static void postSignalled(End end, PostSend call, long first, long second, int length) {
        post(end, call.signalled(0, true), first, second, length);
        call.signalled(0, false);
        end.sentOk(1, WcOpcode.SEND);
    }

    private static void post(End end, PostSend call, long first, long second, int length) {
        end.put(0, header(first, second));
        assertEquals(1, call.length(0, 1, length).execute());
    }

    private static byte[] header(long first, long second) {
        return ByteBuffer.allocate(HEADER).order(ByteOrder.LITTLE_ENDIAN).putLong(first).putLong(second).array();
    }

    private void mayPush(boolean pushed) {
        assertEquals(pushes, pushed, "pushed");
    }

    @ParameterizedTest
    @CsvSource({"64,false", "128,false", "128,true"})
    void aMessageOfAnyLengthArrives(int cqeBytes, boolean inPlace) {
        Pair pair = rig.pair(Setup.usual().cq(256, cqeBytes, inPlace));
        PostSend call = prepare(pair.left());
        for (int length : new int[] {0, 1, 4, 7, 8, 15, 16, 17, 31, 47, 48, 49, 63, 79, 80, 81, 96, 112, LONGEST}) {
            pair.left().put(BODY, Pattern.bytes(length, length));
            pair.left().put(0, new byte[HEADER]); // what is handed over counts, not what lies there
            pair.right().receive(length, AT, HEADER + LONGEST);
            mayPush(send(pair.left(), call, FIRST + length, SECOND, length));
            Wc wc = pair.right().receivedOk(length, HEADER + length);
            byte[] expected = Arrays.copyOf(header(FIRST + length, SECOND), HEADER + length);
            System.arraycopy(Pattern.bytes(length, length), 0, expected, HEADER, length);
            if (wc.inline() == null) {
                pair.right().assertBytes(expected, AT);
            } else {
                assertEquals(ByteBuffer.wrap(expected), ByteBuffer.wrap(wc.inline()));
            }
        }
    }

    @Test
    void whatIsPushedKeepsItsPlaceAmongWhatIsPosted() {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        Pair pair = rig.pair(Setup.usual().depth(4, 16));
        PostSend call = prepare(pair.left());
        for (int i = 0; i < 500; i++) {
            int burst = 1 + random.nextInt(8);
            for (int n = 0; n < burst; n++) {
                pair.right().receive(n, AT + 128L * n, 128);
            }
            for (int n = 0; n < burst; n++) {
                if (random.nextInt(3) > 0 && call.push(i, n, n)) {
                    continue;
                }
                postSignalled(pair.left(), call, i, n, n);
            }
            for (int n = 0; n < burst; n++) {
                pair.right().receivedOk(n, HEADER + n);
                assertEquals(n, pair.right().getLong(AT + 128L * n + 8), "seed=" + seed + " round=" + i);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"64,false,false", "64,false,true", "128,true,true"})
    void toExpectSendsChangesNothing(int cqeBytes, boolean inPlace, boolean exclusive) {
        Setup setup = Setup.usual().depth(4, 16).cq(16, cqeBytes, inPlace);
        setup.exclusive = exclusive;
        rig.left.end(setup).qp.expectSends(1);
        Pair pair = rig.pair(setup);
        PostSend call = prepare(pair.left());
        for (int i = 0; i < 100; i++) { // no receive is there, then one, then a message that was not polled
            pair.left().qp.expectSends(i);
            pair.right().receive(i, AT, HEADER + LONGEST);
            pair.left().qp.expectSends(1);
            mayPush(send(pair.left(), call, FIRST, SECOND + i, LONGEST));
            pair.left().qp.expectSends(Integer.MAX_VALUE);
            pair.right().receivedOk(i, HEADER + LONGEST);
            assertEquals(SECOND + i, pair.right().getLong(AT + 8));
        }
        pair.right().qp.close();
        pair.left().qp.expectSends(1);
        pair.left().qp.error();
        pair.left().qp.expectSends(1);
        pair.left().qp.close();
        pair.left().qp.expectSends(1);
    }

    @Test
    void whatIsPushedTakesNoRoomAndHasNoCompletion() {
        Pair pair = rig.pair(Setup.usual().depth(4, 16));
        assumeTrue(pushes, "the device does not push");
        PostSend call = prepare(pair.left());
        for (int i = 0; i < 100; i++) {
            pair.right().receive(i, AT, 128);
            assertTrue(call.push(FIRST, SECOND, 8));
            pair.right().receivedOk(i, HEADER + 8);
        }
        for (int i = 0; i < 4; i++) { // the whole ring is there
            pair.right().receive(i, AT, 128);
            post(pair.left(), call.signalled(0, true).wrId(0, 100 + i), FIRST, SECOND, 8);
        }
        for (int i = 0; i < 4; i++) {
            pair.left().sentOk(100 + i, WcOpcode.SEND);
        }
    }

    @Test
    void requestsOfOtherKindsAreNotPushed() {
        Pair pair = rig.pair();
        End left = pair.left();
        pair.right().receive(1, AT, 128);
        Sge header = left.sge(0, HEADER);
        Sge body = left.sge(BODY, 8);
        SendRequest[][] lists = {
            {SendRequest.send(1, header)},
            {SendRequest.send(1, left.sge(0, 8), body)},
            {SendRequest.send(1, header, body, body)},
            {SendRequest.send(1, header, body).signalled()},
            {SendRequest.send(1, header, body).solicited()},
            {SendRequest.send(1, header, body).fenced()},
            {SendRequest.send(1, header, body).inline()},
            {SendRequest.sendWithImmediate(1, 7, header, body)},
            {SendRequest.write(1, pair.right().address(AT), pair.right().mr.rkey(), header, body)},
            {SendRequest.read(1, pair.right().address(AT), pair.right().mr.rkey(), header, body)},
            {SendRequest.send(1, header, body), SendRequest.send(2, header, body)},
        };
        for (SendRequest[] list : lists) {
            PostSend call = left.qp.prepareSend(list);
            assertFalse(call.push(FIRST, SECOND, 8), () -> Arrays.toString(list));
        }
        PostSend call = prepare(left).length(0, 0, 8);
        assertFalse(call.push(FIRST, SECOND, 8), "the header's length was changed");
        mayPush(call.length(0, 0, HEADER).push(FIRST, SECOND, 8));
    }

    @Test
    void whatChangesTheSgesCounts() {
        Pair pair = rig.pair();
        End left = pair.left();
        MemoryRegion other = left.side.memory(4096);
        other.buffer(100, 8).put(0, Pattern.bytes(3, 8));
        left.put(BODY, Pattern.bytes(1, 16));
        PostSend call = prepare(left);
        arrives(pair, call, Pattern.bytes(1, 8));
        call.offset(0, 1, 8);
        arrives(pair, call, Arrays.copyOfRange(Pattern.bytes(1, 16), 8, 16));
        call.address(0, 1, other.address() + 100).lkey(0, 1, other.lkey());
        arrives(pair, call, Pattern.bytes(3, 8));
        call.length(0, 1, 0); // for posts: a push has its own
        arrives(pair, call, Pattern.bytes(3, 8));
    }

    private void arrives(Pair pair, PostSend call, byte[] body) {
        pair.right().receive(5, AT, 128);
        if (call.push(FIRST, SECOND, body.length)) {
            pair.right().receivedOk(5, HEADER + body.length);
            pair.right().assertBytes(body, AT + HEADER);
        } else {
            assertFalse(pushes, "was not pushed");
        }
    }

    @Test
    void memoryOfOthersGoesWithoutAWord() {
        Pair pair = rig.pair();
        PostSend call = prepare(pair.left());
        for (int i = 0; i < 10; i++) {
            MemoryRegion other = pair.left().side.memory(64);
            pair.right().receive(i, AT, 128);
            mayPush(call.push(FIRST, SECOND, 8));
            other.close();
        }
    }

    /** Checks that a push is refused, and that a post in its place fails as posts do. */
    private static void refused(Pair pair, PostSend call, int length) {
        assertFalse(call.push(FIRST, SECOND, length), "pushed");
        assertEquals(1, call.length(0, 1, length).signalled(0, true).execute());
        pair.left().sentFails(1, WcStatus.LOC_PROT_ERR);
    }

    @ParameterizedTest
    @EnumSource(LocalErrorContract.BadSge.class)
    void aBodyThatNoDeviceMayReadIsNotPushed(LocalErrorContract.BadSge bad) {
        Pair pair = rig.pair();
        pair.right().receive(1, AT, LONGEST);
        Sge sge = bad.make(pair.left());
        refused(pair, pair.left().qp.prepareSend(SendRequest.send(1, pair.left().sge(0, HEADER), sge)), sge.length());
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = {"LONGER_THAN_THE_REGION", "LONGEST"}) // it is 16 bytes long
    void aHeaderInMemoryThatNoDeviceMayReadIsNotPushed(LocalErrorContract.BadSge bad) {
        Pair pair = rig.pair();
        pair.right().receive(1, AT, LONGEST);
        Sge sge = bad.make(pair.left());
        refused(pair, pair.left().qp.prepareSend(SendRequest.send(1,
                new Sge(sge.address(), HEADER, sge.lkey()), pair.left().sge(BODY, 8))), 8);
    }

    @ParameterizedTest
    @CsvSource({"true", "false"})
    void memoryThatGoesBetweenTwoPushesIsFound(boolean header) {
        Pair pair = rig.pair();
        End left = pair.left();
        MemoryRegion going = left.side.memory(64);
        Sge sge = Sge.of(going, 0, HEADER);
        PostSend call = left.qp.prepareSend(header
                ? SendRequest.send(1, sge, left.sge(BODY, 8))
                : SendRequest.send(1, left.sge(0, HEADER), sge));
        pair.right().receive(1, AT, 128);
        pair.right().receive(2, AT, 128);
        mayPush(call.push(FIRST, SECOND, 8));
        going.close();
        refused(pair, call, 8);
    }

    @Test
    void aLengthBeyondTheRegionIsNotPushed() {
        Pair pair = rig.pair();
        MemoryRegion small = pair.left().side.memory(1000);
        PostSend call = pair.left().qp.prepareSend(
                SendRequest.send(1, pair.left().sge(0, HEADER), Sge.of(small, 990, 0)));
        pair.right().receive(1, AT, LONGEST);
        pair.right().receive(2, AT, LONGEST);
        for (int length : new int[] {-1, Integer.MIN_VALUE, Integer.MAX_VALUE - 8, Integer.MAX_VALUE}) {
            assertFalse(call.push(FIRST, SECOND, length), () -> "length=" + length);
        }
        mayPush(call.push(FIRST, SECOND, 10));
        refused(pair, call, 11);
    }

    @Test
    void noReceiveNoPush() {
        Pair pair = rig.pair();
        PostSend call = prepare(pair.left());
        assertFalse(call.push(FIRST, SECOND, 8));
        assertFalse(call.push(FIRST, SECOND, 8));
        pair.right().receive(1, AT, 128);
        mayPush(call.push(FIRST, SECOND, 8));
        assertFalse(call.push(FIRST, SECOND, 8), "its receive is taken");
        if (pushes) {
            pair.right().receivedOk(1, HEADER + 8);
        }
    }

    @Test
    void aMessageThatIsLongerThanTheReceiveIsNotPushed() {
        Pair pair = rig.pair();
        PostSend call = prepare(pair.left());
        pair.right().receive(1, AT, HEADER + 8);
        assertFalse(call.push(FIRST, SECOND, 9));
        mayPush(call.push(FIRST, SECOND, 8));
    }

    @Test
    void whatWaitsForAReceiveIsNotOvertaken() {
        Pair pair = rig.pair(Setup.usual().rnr(7, 10_000));
        PostSend call = prepare(pair.left());
        post(pair.left(), call, 1, SECOND, 8); // finds no receive, and waits
        assertFalse(call.push(2, SECOND, 8));
        pair.right().receive(1, AT, 128);
        assertFalse(call.push(2, SECOND, 8), "overtook what waits");
        pair.right().receivedOk(1, HEADER + 8);
        assertArrayEquals(header(1, SECOND), pair.right().bytes(AT, HEADER));
    }

    @Test
    void nothingIsPushedOnceAnEndIsInError() {
        for (boolean here : new boolean[] {true, false}) {
            Pair pair = rig.pair();
            PostSend call = prepare(pair.left());
            pair.right().receive(1, AT, 128);
            (here ? pair.left() : pair.right()).qp.error();
            assertFalse(call.push(FIRST, SECOND, 8), here ? "left" : "right");
        }
    }

    @Test
    void aCallThatIsFreedOrWhoseQueuePairIsClosedThrows() {
        Pair pair = rig.pair();
        PostSend freed = prepare(pair.left());
        freed.free();
        assertThrows(IllegalStateException.class, () -> freed.push(FIRST, SECOND, 0));
        PostSend call = prepare(pair.left());
        pair.left().qp.close();
        assertThrows(IllegalStateException.class, () -> call.push(FIRST, SECOND, 0));
    }

    /** Regions come and go beside the pushes, then the body's goes: each message is whole, and none comes behind it. */
    @Test
    void regionsThatGoInTheMiddleOfPushesEndThem() throws InterruptedException {
        assumeTrue(pushes, "the device does not push");
        Pair pair = rig.pair();
        End left = pair.left();
        MemoryRegion going = left.side.memory(4096);
        PostSend call = left.qp.prepareSend(
                SendRequest.send(1, left.sge(0, HEADER), Sge.of(going, 0, 8)));
        AtomicBoolean gone = new AtomicBoolean();
        Thread other = new Thread(() -> {
            for (int i = 0; i < 2000; i++) {
                left.side.pd.allocate(64, 0).close();
            }
            going.close();
            gone.set(true);
        });
        other.start();
        boolean before;
        boolean pushed;
        do {
            before = gone.get();
            pair.right().receive(1, AT, 128);
            pushed = call.push(FIRST, SECOND, 8);
            if (pushed) {
                pair.right().receivedOk(1, HEADER + 8);
                assertEquals(FIRST, pair.right().getLong(AT));
            }
        } while (pushed && !before);
        other.join();
        assertFalse(before && pushed, "pushed after the region was gone");
        pair.right().receive(2, AT, 128);
        refused(pair, call, 8);
    }
}
