package org.jvrpc.verbs.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.PostSend;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.WcOpcode;
import org.jvrpc.verbs.WcStatus;

/** Memory regions, and the making and ending of everything. */
public abstract class LifecycleContract extends DeviceContract {

    LifecycleContract(DeviceUnderTest dut) {
        super(dut);
    }

    private static void outside(MemoryRegion mr, long offset, int length) {
        assertThrows(IndexOutOfBoundsException.class, () -> mr.buffer(offset, length),
                () -> "offset=" + offset + " length=" + length);
    }

    @Test
    void aRegionIsAsLongAsAskedForAndZeroed() {
        for (long length : new long[] {1, 7, 4096, 4097, 1 << 20}) {
            MemoryRegion mr = rig.left.memory(length);
            assertEquals(length, mr.length());
            assertEquals(Side.ALL, mr.access());
            byte[] bytes = new byte[(int) length];
            mr.buffer(0, (int) length).get(bytes);
            assertArrayEquals(new byte[(int) length], bytes);
        }
    }

    @Test
    void memoryGivenBackComesOutZeroedAgain() {
        for (int i = 0; i < 20; i++) {
            try (MemoryRegion mr = rig.left.pd.allocate(10_000, Side.ALL)) {
                ByteBuffer buffer = mr.buffer(0, 10_000);
                for (int at = 0; at < 10_000; at++) {
                    assertEquals(0, buffer.get(at), "at " + at);
                }
                buffer.put(0, Pattern.bytes(i, 10_000));
            }
        }
    }

    @Test
    void memoryGivenBackIsUsedAgain() {
        long length = 8L << 20;
        long before = 0;
        for (int i = 0; i < 300; i++) {
            if (i == 50) {
                before = mappedPages();
            }
            rig.left.pd.allocate(length, Side.ALL).close();
        }
        long start = before;
        Deadline.until("250 regions of " + length + " bytes, each given back, to be unmapped or used again", () -> {
            System.gc(); // has the say where a device's memory is the JVM's
            return (mappedPages() - start) * 4096 < 50 * length;
        });
    }

    /** Returns how many pages of memory this process has mapped. */
    private static long mappedPages() {
        try {
            return Long.parseLong(Files.readString(Path.of("/proc/self/statm")).split(" ")[0]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aViewIsLittleEndianAndBounded() {
        MemoryRegion mr = rig.left.memory(1000);
        ByteBuffer view = mr.buffer(8, 16);
        assertEquals(ByteOrder.LITTLE_ENDIAN, view.order());
        assertEquals(16, view.remaining());
        view.putInt(0, 0x01020304);
        assertEquals(4, mr.buffer(8, 1).get(0));
        assertEquals(16, view.capacity(), "the view must not reach further");
        assertEquals(0, mr.buffer(1000, 0).remaining());
        outside(mr, -1, 1);
        outside(mr, 1000, 1);
        outside(mr, 0, 1001);
        outside(mr, 999, 2);
        outside(mr, 0, -1);
        outside(mr, Long.MAX_VALUE, 1);
        outside(mr, Long.MIN_VALUE, 1);
        outside(mr, 1L << 32, 1);
        outside(mr, 1001, 0);
        outside(mr, 1, Integer.MAX_VALUE);
    }

    @Test
    void regionsDoNotOverlapAndHaveKeysOfTheirOwn() {
        Set<Integer> keys = new HashSet<>();
        MemoryRegion previous = rig.left.memory(100);
        for (int i = 0; i < 200; i++) {
            MemoryRegion mr = rig.left.memory(100);
            assertTrue(Math.abs(mr.address() - previous.address()) >= 100, "regions overlap");
            assertTrue(keys.add(mr.lkey()), "lkey used twice");
            assertNotEquals(0, mr.lkey());
            previous = mr;
        }
    }

    @Test
    void lengthsThatCannotBeAreRefused() {
        for (long length : new long[] {0, -1, Long.MIN_VALUE}) {
            assertThrows(IllegalArgumentException.class, () -> rig.left.pd.allocate(length, 0), "length=" + length);
        }
    }

    @Test
    void moreMemoryThanThereIsIsRefusedWithTheAmount() {
        for (long length : new long[] {1L << 50, Long.MAX_VALUE}) {
            VerbsException e = assertThrows(VerbsException.class, () -> rig.left.pd.allocate(length, 0));
            assertTrue(e.getMessage().contains(Long.toString(length)), e.getMessage());
        }
        rig.pair().exercise(1);
    }

    @Test
    void rightsThatCannotBeAreRefused() {
        for (int access : new int[] {16, -1, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC}) {
            assertThrows(IllegalArgumentException.class, () -> rig.left.pd.allocate(64, access), "access=" + access);
        }
        int[] remote = dut.keepsUserMemory() ? new int[] {Access.REMOTE_READ, Side.ALL, 16} : new int[] {16};
        for (int access : remote) {
            assertThrows(RuntimeException.class,
                    () -> rig.left.pd.register(ByteBuffer.allocateDirect(64), access), "access=" + access);
        }
        assertThrows(IllegalArgumentException.class, () -> rig.left.pd.register(ByteBuffer.allocate(64), 0));
    }

    @Test
    void aRegisteredBufferIsSeenThroughTheRegion() {
        ByteBuffer direct = ByteBuffer.allocateDirect(100);
        MemoryRegion mr = rig.keep(rig.left.pd.register(direct, Access.LOCAL_WRITE));
        assertEquals(100, mr.length());
        direct.put(99, (byte) 5);
        assertEquals(5, mr.buffer(99, 1).get(0));
        outside(mr, 99, 2);
        outside(mr, -1, 1);
    }

    @Tag("slow")
    @Test
    void aRegionOfMoreThanTwoGibIsReachedToItsEnd() {
        long length = (1L << 31) + (1L << 20) + 5;
        MemoryRegion mr = large(length);
        Pair pair = rig.pair();
        assertEquals(length, mr.length());
        byte[] data = Pattern.bytes(1, 4096);
        pair.left().put(0, data);
        for (long offset : new long[] {0, (1L << 30) - 7, Integer.MAX_VALUE - 100L, 1L << 31, length - 4096}) {
            byte[] got = new byte[4096];
            pair.left().post(SendRequest.write(
                    1, mr.address() + offset, mr.rkey(), pair.left().sge(0, 4096)).signalled());
            pair.left().sentOk(1, WcOpcode.RDMA_WRITE);
            for (int i = 0; i < 4096; i++) {
                got[i] = mr.buffer(offset + i, 1).get(0);
            }
            assertArrayEquals(data, got, "offset=" + offset);
            pair.right().receive(2, Sge.of(mr, offset, 4096));
            pair.left().post(SendRequest.send(3, pair.left().sge(0, 4096)).signalled(), SendRequest.read(
                    4, mr.address() + offset, mr.rkey(), pair.left().sge(8192, 4096)).signalled());
            pair.right().receivedOk(2, 4096);
            pair.left().sentOk(3, WcOpcode.SEND);
            pair.left().sentOk(4, WcOpcode.RDMA_READ);
            pair.left().assertBytes(data, 8192);
        }
        outside(mr, length - 4095, 4096);
    }

    /** Large memory, or a skip where the host has not so much. */
    private MemoryRegion large(long length) {
        try {
            return rig.right.memory(length);
        } catch (VerbsException e) {
            return abort("this host has no room for bytes=" + length + ": " + e.getMessage());
        }
    }

    @Test
    void closingARegionIsIdempotent() {
        MemoryRegion mr = rig.left.memory(64);
        mr.close();
        MemoryRegion next = rig.left.memory(64);
        mr.close();
        next.buffer(0, 8).putLong(0, 1);
        Pair pair = rig.pair();
        pair.right().receive(1, 0, 8);
        pair.left().post(SendRequest.send(1, Sge.of(next, 0, 8)).signalled());
        pair.left().sentOk(1, WcOpcode.SEND);
    }

    @Test
    void aDomainWithLiveRegionsOrQpsDoesNotEnd() {
        ProtectionDomain pd = rig.left.device.allocatePd();
        MemoryRegion mr = pd.allocate(64, 0);
        assertThrows(VerbsException.class, pd::close);
        mr.close();
        CompletionQueue cq = rig.left.cq(16);
        QueuePair qp = pd.createQp(new QueuePairAttributes(cq, cq));
        assertThrows(VerbsException.class, pd::close);
        MemoryRegion direct = pd.register(ByteBuffer.allocateDirect(64), 0);
        qp.close();
        assertThrows(VerbsException.class, pd::close);
        direct.close();
        pd.close();
        pd.close();
        assertThrows(RuntimeException.class, () -> pd.allocate(64, 0), "an ended domain makes nothing");
    }

    @Test
    void aCqWithLiveQpsDoesNotEnd() {
        CompletionQueue sendCq = rig.left.device.createCq(CompletionQueueAttributes.ofDepth(16));
        CompletionQueue receiveCq = rig.left.device.createCq(CompletionQueueAttributes.ofDepth(16));
        QueuePair qp = rig.left.pd.createQp(new QueuePairAttributes(sendCq, receiveCq));
        assertThrows(VerbsException.class, sendCq::close);
        assertThrows(VerbsException.class, receiveCq::close);
        qp.close();
        sendCq.close();
        receiveCq.close();
        sendCq.close();
        receiveCq.close();
        assertThrows(RuntimeException.class,
                () -> rig.left.pd.createQp(new QueuePairAttributes(sendCq, receiveCq)), "an ended CQ serves no QP");
    }

    @Test
    void aQpOnTheCqOfAnotherDeviceIsRefused() {
        try (Device other = dut.openDevice();
                CompletionQueue cq = other.createCq(CompletionQueueAttributes.ofDepth(8))) {
            assertThrows(RuntimeException.class, () -> rig.left.pd.createQp(new QueuePairAttributes(cq, cq)));
        }
    }

    @Test
    void closingADeviceEndsWhatItMadeAndIsIdempotent() {
        Device device = dut.openDevice();
        ProtectionDomain pd = device.allocatePd();
        CompletionQueue cq = device.createCq(CompletionQueueAttributes.ofDepth(16));
        QueuePair qp = pd.createQp(new QueuePairAttributes(cq, cq));
        PostSend call = qp.prepareSend(SendRequest.send(1));
        MemoryRegion mr = pd.allocate(64, 0);
        device.close();
        device.close();
        assertFalse(call.valid());
        assertThrows(RuntimeException.class, device::allocatePd);
        qp.close();
        mr.close();
        cq.close();
        pd.close();
    }

    @Test
    void aDeviceWithConnectedQpsClosesAndItsPeerGetsNoAnswer() {
        Device device = dut.openDevice();
        Side side = new Side(rig, "closing", device);
        End right = side.end(Setup.usual());
        End left = rig.left.end(Setup.usual());
        Pair.connect(left, right).exercise(1);
        right.receives.pump();
        device.close();
        left.post(SendRequest.send(5, left.sge(0, 8)));
        // The CQs of the device that is closed must not be polled any more, so the rig cannot wait.
        Deadline deadline = Deadline.usual();
        while (left.sends.isEmpty()) {
            left.sends.pump();
            deadline.turn(left.sends::toString);
        }
        Wc wc = left.sends.take();
        assertEquals(WcStatus.RETRY_EXC_ERR, wc.status(), wc::toString);
        assertEquals(QueuePairState.ERR, left.qp.state());
    }

    @Tag("slow")
    @Test
    void hundredsOfQpsComeAndGo() {
        for (int i = 0; i < Math.max(200, dut.rounds(600)); i++) {
            Pair pair = rig.pair(Setup.usual().memory(4096).cq(16, 64, false).depth(4, 4));
            pair.exercise(i % 200);
            for (End end : new End[] {pair.left(), pair.right()}) {
                end.qp.close();
                end.mr.close();
            }
        }
    }
}
