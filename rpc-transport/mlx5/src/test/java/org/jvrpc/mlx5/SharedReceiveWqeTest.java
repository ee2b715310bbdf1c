package org.jvrpc.mlx5;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.jvrpc.verbs.PostReceive;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.SharedReceiveQueueAttributes;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.WorkCompletion;

/**
 * WQEs of an SRQ, byte by byte, and the list that they make, against rdma-core, providers/mlx5, wqe.h and srq.c; their
 * CQEs against mlx5dv.h: the number of the SRQ at 32, the index of the WQE at 60.
 */
final class SharedReceiveWqeTest {

    private static final Sge SGE = new Sge(0x1122334455667788L, 0x01020304, 0xa1b2c3d4);
    private static final String DATA = "01020304 a1b2c3d4 1122334455667788";
    private static final String END = "00000000 00000100 0000000000000000";

    private final Rings rings = Rings.shared(7);
    private final WorkCompletion wc = new WorkCompletion();
    private int polled;

    private static String next(int index) {
        return String.format("0000 %04x", index) + "0".repeat(24);
    }

    private int post(Rings into, long wrId) {
        return into.srq.prepareReceive(ReceiveRequest.of(wrId, SGE)).execute();
    }

    /** A CQE of a message of no bytes that took the WQE at an index. */
    private void arrive(int index) {
        int at = Rings.CQ + polled % 8 * 64;
        rings.put(at + 32, "00000abc");
        rings.put(at + 44, "00000000");
        rings.put(at + 56, String.format("00012345 %04x 00 2%d", index, polled / 8 % 2));
        assertTrue(rings.cq.poll(wc), "index=" + index);
        polled++;
    }

    @Test
    void aWqeNamesTheNextOneAndThenHasItsData() {
        assertEquals(3, rings.srq.prepareReceive(
                ReceiveRequest.of(1, SGE), ReceiveRequest.of(2), ReceiveRequest.of(3, SGE, SGE)).execute());
        rings.expect(Rings.RQ, next(1) + DATA + END);
        rings.expect(Rings.RQ + 64, next(2) + END);
        rings.expect(Rings.RQ + 128, next(3) + DATA + DATA);
        rings.expect(Rings.SRQ_RECORD, "00000003");
    }

    @Test
    void aFreshRingIsAListOfAllItsWqes() {
        for (int index = 0; index < 8; index++) {
            rings.expect(Rings.RQ + 64 * index, next(index + 1 & 7));
            assertEquals(index + 1 & 7, SharedReceiveWqe.next(rings.memory, Rings.RQ + 64 * index));
        }
        rings.expect(Rings.SRQ_RECORD, "00000000");
    }

    @Test
    void theStrideHoldsTheLinkAndTheSges() {
        int[] strides = {32, 64, 64, 128, 128, 128, 128, 256};
        for (int sges = 1; sges <= strides.length; sges++) {
            assertEquals(strides[sges - 1],
                    Mlx5SharedReceiveQueue.stride(new SharedReceiveQueueAttributes(1, sges)), "sges=" + sges);
        }
        assertEquals(2, Mlx5SharedReceiveQueue.entries(new SharedReceiveQueueAttributes(1, 1)));
        assertEquals(8, Mlx5SharedReceiveQueue.entries(new SharedReceiveQueueAttributes(7, 1)));
        assertEquals(16, Mlx5SharedReceiveQueue.entries(new SharedReceiveQueueAttributes(8, 1)));
        assertEquals(32768, Mlx5SharedReceiveQueue.entries(new SharedReceiveQueueAttributes(16384, 1)));
    }

    @Test
    void theQueueTakesOneLessThanItHas() {
        for (int i = 0; i < 7; i++) {
            assertEquals(1, post(rings, i));
        }
        assertEquals(0, post(rings, 7));
        assertEquals(7, rings.srq.depth());
        rings.expect(Rings.SRQ_RECORD, "00000007");
    }

    @Test
    void whatIsGivenBackIsPostedInTheOrderOfGivingBack() {
        for (int i = 0; i < 7; i++) {
            post(rings, 100 + i);
        }
        for (int index : new int[] {4, 0, 2}) {
            arrive(index);
            assertEquals(100 + index, wc.wrId());
        }
        assertEquals(1, post(rings, 200), "at 7, which was held back; names 4");
        rings.expect(Rings.RQ + 7 * 64, next(4) + DATA + END);
        assertEquals(1, post(rings, 201));
        rings.expect(Rings.RQ + 4 * 64, next(0) + DATA + END);
        assertEquals(1, post(rings, 202));
        rings.expect(Rings.RQ, next(2) + DATA + END);
        assertEquals(0, post(rings, 203), "the last one is held back");
        arrive(7);
        assertEquals(200, wc.wrId());
        arrive(4);
        assertEquals(201, wc.wrId());
    }

    @Test
    void anSgeOfNoBytesHasNoDataSegment() {
        Sge empty = new Sge(7, 0, 7);
        PostReceive call = rings.srq.prepareReceive(ReceiveRequest.of(1, empty, SGE), ReceiveRequest.of(2, empty));
        assertEquals(2, call.execute());
        rings.expect(Rings.RQ, next(1) + DATA + END);
        rings.expect(Rings.RQ + 64, next(2) + END);
        assertEquals(2, call.length(0, 0, SGE.length()).address(0, 0, SGE.address()).lkey(0, 0, SGE.lkey()).execute());
        rings.expect(Rings.RQ + 128, next(3) + DATA + DATA);
    }

    @Test
    void aCompletionOfWhatIsNotPostedIsPassedOver() {
        post(rings, 1);
        for (int index : new int[] {1, 7, 8, 0xffff}) {
            int at = Rings.CQ + polled++ * 64;
            rings.put(at + 56, String.format("00012345 %04x 00 20", index));
            assertFalse(rings.cq.poll(wc), "index=" + index);
        }
        arrive(0);
        int at = Rings.CQ + polled++ * 64;
        rings.put(at + 56, "00012345 0000 00 20");
        assertFalse(rings.cq.poll(wc), "it is complete already");
    }

    @Test
    void dataInTheCqeGoesToTheSgesOfTheIndex() {
        assertEquals(2, rings.srq.prepareReceive(
                ReceiveRequest.of(1, new Sge(0, 64, 1)), ReceiveRequest.of(2, new Sge(100, 3, 1), new Sge(200, 9, 1)))
                .execute());
        rings.put(Rings.CQ, "0102030405060708");
        rings.put(Rings.CQ + 32, "00000abc");
        rings.put(Rings.CQ + 44, "00000008");
        rings.put(Rings.CQ + 56, "00012345 0001 00 24");
        assertTrue(rings.cq.poll(wc));
        assertEquals(2, wc.wrId());
        assertEquals(8, wc.byteLength());
        assertArrayEquals(new byte[] {1, 2, 3, 0}, Arrays.copyOfRange(rings.local, 100, 104));
        assertArrayEquals(new byte[] {4, 5, 6, 7, 8, 0}, Arrays.copyOfRange(rings.local, 200, 206));
    }

    @Test
    void aFailedReceiveIsGivenBack() {
        for (int i = 0; i < 7; i++) {
            post(rings, 100 + i);
        }
        rings.put(Rings.CQ + 54, "0001");
        rings.put(Rings.CQ + 56, "00012345 0003 00 e0");
        assertTrue(rings.cq.poll(wc));
        assertEquals(WcStatus.LOC_LEN_ERR, wc.status());
        assertEquals(103, wc.wrId());
        assertEquals(1, post(rings, 200));
        assertEquals(0, post(rings, 201));
    }

    @Test
    void theQpHasNoReceivesOfItsOwnAndKeepsTheQueueOpen() {
        VerbsException e = assertThrows(VerbsException.class, () -> rings.qp.prepareReceive(ReceiveRequest.of(1)));
        assertTrue(e.getMessage().contains("srq number=" + Rings.SRQN), e.getMessage());
        rings.srq.attach();
        assertThrows(VerbsException.class, rings.srq::close);
        rings.srq.detach();
        PostReceive call = rings.srq.prepareReceive(ReceiveRequest.of(1));
        rings.srq.close();
        rings.srq.close();
        assertFalse(call.valid());
        assertThrows(IllegalStateException.class, call::execute);
        assertThrows(VerbsException.class, rings.srq::attach);
    }

    @Test
    void listsAndSgesPastTheAttributesAreRefused() {
        assertThrows(VerbsException.class, () -> rings.srq.prepareReceive());
        assertThrows(VerbsException.class, () -> rings.srq.prepareReceive(ReceiveRequest.of(1, SGE, SGE, SGE)));
        ReceiveRequest[] eight = new ReceiveRequest[8];
        Arrays.fill(eight, ReceiveRequest.of(1));
        assertThrows(VerbsException.class, () -> rings.srq.prepareReceive(eight));
    }

    /** Follows the list as a card does: from the last WQE taken to the one that it names. */
    @Test
    void aReaderOfTheListMeetsEveryWqeInTheOrderOfPosting() {
        long seed = Long.getLong("jvrpc.test.seed", System.nanoTime());
        System.out.println("aReaderOfTheListMeetsEveryWqe: jvrpc.test.seed=" + seed);
        SplittableRandom random = new SplittableRandom(seed);
        Deque<Long> expected = new ArrayDeque<>();
        List<Integer> taken = new ArrayList<>();
        long posted = 0;
        int head = 0;
        PostReceive call = rings.srq.prepareReceive(ReceiveRequest.of(0, SGE));
        for (int step = 0; step < 300_000; step++) {
            int dice = random.nextInt(3);
            if (dice == 0) {
                int accepted = call.wrId(0, posted).execute();
                assertEquals(expected.size() + taken.size() < 7 ? 1 : 0, accepted, "step=" + step);
                if (accepted == 1) {
                    expected.add(posted++);
                }
            } else if (dice == 1 && !expected.isEmpty()) {
                assertEquals(expected.poll(), rings.srq.ring().wrId(head), "step=" + step);
                taken.add(head);
                head = SharedReceiveWqe.next(rings.memory, Rings.RQ + 64 * head);
            } else if (dice == 2 && !taken.isEmpty()) {
                arrive(taken.remove(random.nextInt(taken.size())));
            }
        }
        rings.expect(Rings.SRQ_RECORD, String.format("%08x", posted & 0xffff));
    }
}
