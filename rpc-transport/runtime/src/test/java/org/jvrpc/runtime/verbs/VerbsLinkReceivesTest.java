package org.jvrpc.runtime.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.jvrpc.runtime.session.Descriptor;
import org.jvrpc.runtime.session.Protocol;
import org.jvrpc.runtime.session.RpcHeader;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.WcStatus;

/** What a link takes and fetches, when it is woken, and its life, on a device that does only what it is told to. */
class VerbsLinkReceivesTest {

    private static final int SLOT_BYTES = 64;
    private static final int SEND_SLOTS = 1 + Protocol.CONTROLS;
    private static final int BASE = LinkLayout.receives(SEND_SLOTS, 1, SLOT_BYTES);
    private static final int STRIDE = ReceiveBatches.stride(SLOT_BYTES);
    private static final int RECEIVES = 5;
    private static final long IDLE_NS = 1000;

    private final StillDevice device = new StillDevice();
    private long nowNs = 1_000_000_000_000L;
    private final VerbsLink link = make();

    private VerbsLink make() {
        return new VerbsLink(() -> nowNs, device.device(), new SessionDomain(device.device(), null), null,
                LinkSize.fixed(1, SLOT_BYTES, 3));
    }

    private void broken(String why) {
        assertFalse(link.poll());
        assertEquals(why, link.failure());
    }

    // ---- messages

    @Test
    void receivesLieBehindTheSlotsOneBesideTheOther() {
        assertEquals(RECEIVES, device.prepared.size());
        for (int i = 0; i < device.prepared.size(); i++) {
            assertEquals(i, device.prepared.get(i).wrId());
            assertEquals(List.of(new Sge(StillDevice.ADDRESS + BASE + (long) i * STRIDE, STRIDE, StillDevice.LKEY)),
                    device.prepared.get(i).sges());
        }
        assertEquals(List.of(0L, 2L, 4L), device.receives);
    }

    @Test
    void receivesArePostedAgainByTwoInTheirOrderAndTheLastAlone() {
        for (int i = 0; i < 3 * RECEIVES; i++) {
            device.received.message(i % RECEIVES, RpcHeader.BYTES);
            assertTrue(link.poll());
            int done = i / RECEIVES * 3 + i % RECEIVES / 2;
            assertEquals(3 + done, device.receives.size(), "the message polled last is in use, i=" + i);
        }
        assertFalse(link.poll());
        assertEquals(List.of(0L, 2L, 4L, 0L, 2L, 4L, 0L, 2L, 4L, 0L, 2L, 4L), device.receives);
    }

    @Test
    void aPollWithoutAMessageCountsForNothing() {
        device.receives.clear();
        device.received.message(0, RpcHeader.BYTES);
        assertTrue(link.poll());
        assertFalse(link.poll());
        assertFalse(link.poll());
        device.received.message(1, RpcHeader.BYTES);
        assertTrue(link.poll());
        assertEquals(List.of(), device.receives);
        assertFalse(link.poll());
        assertEquals(List.of(0L), device.receives);
    }

    @Test
    void aMessageLiesInItsReceive() {
        device.region().buffer(BASE + 4 * STRIDE, 16).putLong(0, 123).putLong(8, 456);
        device.received.message(4, RpcHeader.BYTES + 3);
        assertTrue(link.poll());
        assertEquals(123, link.first());
        assertEquals(456, link.second());
        assertEquals(RpcHeader.BYTES + 3, link.payloadLength());
    }

    @Test
    void aShortMessageLiesInItsCompletion() {
        ByteBuffer in = ByteBuffer.allocateDirect(32);
        device.received.message(in, 8, RpcHeader.BYTES);
        assertTrue(link.poll());
        assertSame(in, link.payload());
        assertEquals(8, link.payloadOffset());
        assertEquals(RpcHeader.BYTES, link.payloadLength());
    }

    @Test
    void aMessageWithoutAHeaderEndsTheLink() {
        device.received.message(0, RpcHeader.BYTES - 1);
        broken("message is shorter than a header: bytes=15");
    }

    @Test
    void aReceiveThatFailsEndsTheLink() {
        device.received.failed(WcStatus.LOC_LEN_ERR);
        broken("receive failed: LOC_LEN_ERR");
    }

    @Test
    void receivesThatAreFlushedTellThatTheConnectionEnded() {
        device.received.failed(WcStatus.WR_FLUSH_ERR);
        broken("the connection ended");
    }

    @Test
    void aSendThatFailedIsTheCauseOfReceivesThatAreFlushed() {
        device.sends.failed(WcStatus.RETRY_EXC_ERR);
        device.received.failed(WcStatus.WR_FLUSH_ERR);
        broken("send failed: RETRY_EXC_ERR");
    }

    @Test
    void aQueueThatOverranEndsTheLink() {
        device.received.fault = new VerbsException("poll_cq", "planted");
        broken("poll_cq: planted");
    }

    @Test
    void theDeviceHearsOfMessagesThatFollow() {
        link.expectSends(3);
        assertEquals(3, device.expected);
    }

    @Test
    void itSaysWhetherMoreIsThere() {
        assertFalse(link.hasMore());
        device.received.message(0, RpcHeader.BYTES);
        assertTrue(link.hasMore());
    }

    @Test
    void thePeerIsWokenOnceForWhatWasSent() {
        device.did.clear();
        link.wakePeer();
        assertEquals(List.of(), device.did());
        link.send(0, 1, 2, 3);
        link.wakePeer();
        link.wakePeer();
        assertEquals(List.of("wake"), device.did());
        link.send(0, 1, 2, 3);
        assertFalse(link.poll());
        assertEquals(List.of("wake"), device.did());
    }

    // ---- long bodies

    private RegionBody body() {
        BodyShelf.Slab slab = new BodyShelf.Slab(device.region());
        return new RegionBody(null, slab, 256, 1024);
    }

    @Test
    void aPieceIsReadFromItsPlaceThereToItsPlaceHere() {
        device.quick = true;
        assertEquals(1, link.beginFetch(body(), 300, 40, 5000, 99));
        assertEquals(List.of(new StillDevice.Posted(SendRequest.Opcode.RDMA_READ, 1, true,
                List.of(new Sge(StillDevice.ADDRESS + 256 + 300, 40, StillDevice.LKEY)), 5300, 99)), device.posted);
        assertTrue(link.isSent(1));
        device.room = 0;
        assertEquals(0, link.beginFetch(body(), 0, 40, 5000, 99), "no room yet");
    }

    @Test
    void aBodyIsDescribedByItsAddressAndKey() {
        RegionBody body = body();
        assertEquals(RpcHeader.DESCRIPTOR_BYTES, link.describe(0, body));
        assertEquals(StillDevice.ADDRESS + 256, Descriptor.address(link.body(0), 0));
        assertEquals(StillDevice.LKEY + 1, Descriptor.rkey(link.body(0), 0));
    }

    @Test
    void aFetchHasTimeByItsLength() {
        assertEquals(StillDevice.LONGEST_SEND_NS, link.fetchLimitNs(0));
        assertEquals(StillDevice.LONGEST_SEND_NS + 10_000_000, link.fetchLimitNs(100_000));
        assertEquals(StillDevice.LONGEST_SEND_NS + 214_748_364_700L, link.fetchLimitNs(Integer.MAX_VALUE));
    }

    // ---- sleep

    @Test
    void messagesWakeWhoSleeps() {
        device.did.clear();
        link.arm();
        assertEquals(List.of("arm receive"), device.did());
        link.disarm();
        assertEquals(List.of("disarm receive"), device.did());
    }

    @Test
    void whatIsWaitedForWakesWhoSleepsToo() {
        link.ping();
        device.did.clear();
        link.arm();
        assertEquals(List.of("arm receive", "arm send"), device.did());
        link.disarm();
        assertEquals(List.of("disarm receive", "disarm send"), device.did());
        link.disarm();
        assertEquals(List.of("disarm receive"), device.did());
        device.sends.done(1);
        link.reap();
        link.arm();
        assertEquals(List.of("arm receive"), device.did(), "it is complete");
    }

    @Test
    void roomForAMessageWakesWhoSleeps() {
        device.room = 0;
        link.send(0, 1, 2, 3);
        device.did.clear();
        link.arm();
        assertEquals(List.of("arm receive", "arm send"), device.did());
    }

    // ---- life

    @Test
    void aPeerOfAnotherHostIsPingedWhenItIsIdle() {
        device.peerHost = InetAddress.getLoopbackAddress();
        link.connected(device.connection());
        link.checkPeer(nowNs + 10 * IDLE_NS);
        assertEquals(List.of(), device.posted, "nobody asked for it yet");
        link.keepAlive(IDLE_NS);
        link.checkPeer(nowNs + IDLE_NS + 1);
        assertEquals(1, device.posted.size());
        link.checkPeer(nowNs + 3 * IDLE_NS);
        assertEquals("peer gives no sign of life: idle ms=0", link.failure());
        device.sends.done(1);
        link.checkPeer(nowNs + 6 * IDLE_NS);
        assertEquals(1, device.posted.size(), "a broken link is left in peace");
    }

    @Test
    void anAnswerThatNobodyLookedForIsASignOfLife() {
        device.peerHost = InetAddress.getLoopbackAddress();
        link.connected(device.connection());
        link.keepAlive(IDLE_NS);
        link.checkPeer(nowNs + IDLE_NS + 1);
        device.sends.done(1);
        link.checkPeer(nowNs + 3 * IDLE_NS);
        assertNull(link.failure());
    }

    @Test
    void aPeerOfThisHostIsNotPinged() {
        link.connected(device.connection());
        link.keepAlive(IDLE_NS);
        link.checkPeer(nowNs + 10 * IDLE_NS);
        assertEquals(List.of(), device.posted);
    }

    @Test
    void itIsConnectedWhereItsConnectionIs() {
        device.peerHost = InetAddress.getLoopbackAddress();
        link.connected(device.connection());
        assertSame(device.peerHost, link.peerHost());
        assertTrue(link.isConnected());
        device.connected = false;
        assertFalse(link.isConnected());
    }

    @Test
    void itEndsStepByStep() {
        device.did.clear();
        link.disconnect(); // it was never connected
        assertEquals(List.of(), device.did());
        link.connected(device.connection());
        link.breakOff();
        link.disconnect();
        link.close();
        assertEquals(List.of("error", "disconnect", "close qp", "close receive", "close send", "close memory"),
                device.did());
    }

    @Test
    void whatCannotBeMadeLeavesNothing() {
        device.did.clear();
        device.refused = "init";
        assertThrows(VerbsException.class, this::make);
        assertEquals(List.of("close qp", "close receive", "close send"), device.did()); // it had no memory yet
        device.refused = "prepare";
        assertThrows(VerbsException.class, this::make);
        assertEquals(List.of("init", "close qp", "close receive", "close send", "close memory"), device.did());
    }
}
