package org.jvrpc.ibverbs.card;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.ibverbs.binding.Native;
import org.jvrpc.mlx5.Mlx5CompletionQueue;
import org.jvrpc.mlx5.Mlx5QueuePair;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.VerbsException;

/** The commands that make cross-channel QPs, byte by byte, answered as the kernel would. */
final class ChainQueuesTest {

    private static final int QPN = 0x000777;

    private final List<byte[]> commands = new ArrayList<>();
    private boolean refuses;
    private int state = 3;
    private final ModelDevice device = new ModelDevice(this::take);
    private final ProtectionDomain pd = device.allocatePd();
    private final CompletionQueue cq = device.createCq(CompletionQueueAttributes.ofChains(16));

    private boolean take(Native command, int bytes) {
        byte[] copy = command.getBytes(0, bytes);
        commands.add(copy);
        int number = command.getInt(0) & 0xff;
        if (refuses) {
            return false;
        }
        if (number == 24) {
            new ModelStruct(command.getLong(8), 80).putInt(0, 0x55).putInt(4, QPN);
        } else if (number == 25) {
            new ModelStruct(command.getLong(8), 128).putByte(108, state);
        }
        return true;
    }

    @AfterEach
    void close() {
        device.close();
    }

    private static String hex(byte[] bytes, int from, int length) {
        return HexFormat.of().formatHex(bytes, from, from + length);
    }

    private Mlx5QueuePair create(boolean managed) {
        return (Mlx5QueuePair) pd.createQp(new QueuePairAttributes(cq, cq)
                .crossChannel(true).managed(managed, managed).depth(8, 4).sges(2, 2));
    }

    private static int word(byte[] command, int offset) {
        return command[offset] & 0xff | (command[offset + 1] & 0xff) << 8 | (command[offset + 2] & 0xff) << 16
                | command[offset + 3] << 24;
    }

    @Test
    void theCommandIsThatOfTheKernelsInterface() {
        assertEquals(QPN, create(true).number());
        byte[] command = commands.get(0);
        assertEquals(8 + 16 + 64 + 56, command.length);
        assertEquals("18000080" + "0800" + "0500", hex(command, 0, 8), "number, words of 8 bytes in and out");
        assertEquals("0700" + "0500" + "00000000", hex(command, 16, 8), "words of the mlx5 part in and out");
        int core = 24;
        assertEquals(8, word(command, core + 24), "max_send_wr");
        assertEquals(4, word(command, core + 28), "max_recv_wr");
        assertEquals(2, word(command, core + 32), "max_send_sge");
        assertEquals(2, word(command, core + 36), "max_recv_sge");
        assertEquals("00" + "02" + "00" + "00", hex(command, core + 44, 4), "RC, no SRQ");
        assertEquals(0, word(command, core + 48), "comp_mask");
        assertEquals(0x1c, word(command, core + 52), "cross channel, managed send, managed receive");
        int mlx5 = core + 64;
        assertEquals(0, word(command, mlx5) & 4095, "queues at a page");
        assertEquals(0, word(command, mlx5 + 8) & 4095, "record at a page");
        assertEquals(16, word(command, mlx5 + 16), "sq_wqe_count: 8 of 5 segments");
        assertEquals(4, word(command, mlx5 + 20), "rq_wqe_count");
        assertEquals(5, word(command, mlx5 + 24), "rq_wqe_shift");
        assertEquals(1 << 10, word(command, mlx5 + 28), "UAR_PAGE_INDEX");
        assertEquals(0x123, word(command, mlx5 + 36), "bfreg_index: number of the page");
        assertEquals("00".repeat(16), hex(command, mlx5 + 40, 16));
    }

    @Test
    void aQpWithoutChecksIsRefusedUnlessTheFirmwareWasToldNotToCheck() {
        QueuePairAttributes attributes = new QueuePairAttributes(cq, cq).crossChannel(true).checked(false);
        VerbsException e = assertThrows(VerbsException.class, () -> pd.createQp(attributes));
        assertTrue(e.getMessage().contains("jvrpc.mlx5.wqe-checks=off"), e.getMessage());
        System.setProperty("jvrpc.mlx5.wqe-checks", "off");
        try {
            pd.createQp(attributes).close();
        } finally {
            System.clearProperty("jvrpc.mlx5.wqe-checks");
        }
    }

    @Test
    void lookupsAreNotHosted() {
        VerbsException e = assertThrows(VerbsException.class, pd::chains);
        assertTrue(e.getMessage().contains("hosts no lookups"), e.getMessage());
    }

    @Test
    void anUnmanagedQpHasTheFlagOfCrossChannelAlone() {
        create(false);
        assertEquals(4, word(commands.get(0), 24 + 52));
    }

    @Test
    void statesAreChangedByCommandsAndTheQpIsDestroyedByOne() {
        Mlx5QueuePair qp = create(true);
        qp.init();
        qp.connect(qp.endpoint());
        assertEquals(QueuePairState.RTS, qp.state());
        byte[] init = commands.get(1);
        assertEquals("1a000000" + "1e00" + "0000", hex(init, 0, 8), "modify_qp of 30 words");
        assertEquals(120, init.length);
        assertEquals(0x55, word(init, 8 + 64), "handle");
        assertEquals(1, init[8 + 96], "INIT");
        assertEquals(2, commands.get(2)[8 + 96], "RTR");
        assertEquals(QPN, word(commands.get(2), 8 + 84), "the peer");
        assertEquals(HexFormat.of().formatHex(device.card.gid), hex(commands.get(2), 8, 16));
        assertEquals(3, commands.get(3)[8 + 96], "RTS");
        qp.close();
        cq.close();
        byte[] last = commands.get(commands.size() - 1);
        assertEquals("1b000000" + "0600" + "0100", hex(last, 0, 8), "destroy_qp");
        assertEquals(0x55, word(last, 16));
    }

    @Test
    void aManagedQueueHearsNoDoorbellAndItsRingCanBeRegistered() {
        Mlx5QueuePair qp = create(true);
        qp.init();
        qp.connect(qp.endpoint());
        long[] nop = new long[8];
        nop[0] = 1;
        assertTrue(qp.post(1, nop));
        MemoryRegion ring = qp.registerSendRing(pd, Access.LOCAL_WRITE | Access.REMOTE_WRITE);
        assertEquals(qp.sendRingBlocks() * 64L, ring.length());
        assertEquals(QPN << 8 | 1, Integer.reverseBytes(ring.buffer(4, 4).getInt(0)), "the WQE lies in the ring");
        ring.close();
    }

    @Test
    void aCardThatCannotSaysSoAndLeavesNothingBehind() {
        refuses = true;
        VerbsException e = assertThrows(VerbsException.class, () -> create(true));
        assertTrue(e.getMessage().contains("capability cd"), e.getMessage());
        refuses = false;
        pd.close();
    }

    @Test
    void aCqOfChainsIgnoresOverruns() {
        ModelCq model = device.card.cqs.values().iterator().next();
        assertTrue(model.ignoresOverrun);
        assertSame(Mlx5CompletionQueue.class, cq.getClass());
    }
}
