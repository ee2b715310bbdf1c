package org.jvrpc.ibverbs.generic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.jvrpc.ibverbs.binding.Native;
import org.jvrpc.ibverbs.binding.WorkLayouts.SendWr;
import org.jvrpc.verbs.Sge;

/** The memory of a chain, walked from its first address as C does. */
final class ChainTest {

    private static final int MOST = 10;

    private static Chain chain(int... sgeCounts) {
        List<List<Sge>> lists = new ArrayList<>();
        for (int wr = 0; wr < sgeCounts.length; wr++) {
            List<Sge> sges = new ArrayList<>();
            for (int sge = 0; sge < sgeCounts[wr]; sge++) {
                sges.add(new Sge(address(wr, sge), 10 * wr + sge, 100 * wr + sge));
            }
            lists.add(sges);
        }
        return Chain.ofSends(lists);
    }

    private static long address(int wr, int sge) {
        return 0x7000_0000_0000L + 1000 * wr + sge;
    }

    private static List<ByteBuffer> walk(Chain chain) {
        List<ByteBuffer> wrs = new ArrayList<>();
        for (long at = chain.address(0); at != 0 && wrs.size() < MOST;) {
            ByteBuffer wr = Native.view(at, SendWr.BYTES);
            wrs.add(wr);
            at = wr.getLong(SendWr.NEXT);
        }
        return wrs;
    }

    @Test
    void wrsAreLinkedAndLeadToTheirSges() {
        int[] counts = {2, 0, 1, 4};
        List<ByteBuffer> wrs = walk(chain(counts));
        assertEquals(counts.length, wrs.size());
        for (int wr = 0; wr < counts.length; wr++) {
            assertEquals(counts[wr], wrs.get(wr).getInt(SendWr.NUM_SGE));
            for (int sge = 0; sge < counts[wr]; sge++) {
                ByteBuffer piece = Native.view(wrs.get(wr).getLong(SendWr.SG_LIST) + 16L * sge, 16);
                assertEquals(address(wr, sge), piece.getLong(0));
                assertEquals(10 * wr + sge, piece.getInt(8));
                assertEquals(100 * wr + sge, piece.getInt(12));
            }
        }
    }

    @Test
    void aChainIsCutForACallAndWholeAfterIt() {
        Chain chain = chain(1, 1, 1);
        for (int wrs = 1; wrs <= 3; wrs++) {
            chain.cut(wrs);
            assertEquals(wrs, walk(chain).size());
            chain.whole(wrs);
            assertEquals(3, walk(chain).size());
        }
    }

    @Test
    void theRefusedWrTellsHowManyWereAccepted() {
        Chain chain = chain(1, 1, 1);
        chain.cut(3);
        assertEquals(3, chain.accepted(3, 0));
        assertEquals(0, chain.accepted(3, 5), "the provider named none");
        for (int wr = 0; wr < 3; wr++) {
            Native.view(chain.badAddress(), 8).putLong(0, chain.address(0) + wr * SendWr.BYTES);
            assertEquals(wr, chain.accepted(3, 12));
        }
    }

    @Test
    void offsetsCountFromTheAddressThatWasSetLast() {
        Chain chain = chain(2);
        chain.offset(0, 1, 7);
        assertEquals(address(0, 1) + 7, chain.addressOf(0, 1));
        chain.offset(0, 1, 3);
        assertEquals(address(0, 1) + 3, chain.addressOf(0, 1));
        chain.address(0, 1, 5000);
        chain.offset(0, 1, -8);
        assertEquals(4992, chain.addressOf(0, 1));
        assertEquals(address(0, 0), chain.addressOf(0, 0));
    }

    @Test
    void whatIsNotThereIsOutOfBounds() {
        Chain chain = chain(2, 1);
        assertThrows(IndexOutOfBoundsException.class, () -> chain.at(2));
        assertThrows(IndexOutOfBoundsException.class, () -> chain.at(-1));
        assertThrows(IndexOutOfBoundsException.class, () -> chain.lkey(1, 1, 0));
        assertThrows(IndexOutOfBoundsException.class, () -> chain.address(2, 0, 0));
        assertThrows(IllegalArgumentException.class, () -> chain.length(0, 0, -1));
    }
}
