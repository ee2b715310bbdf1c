package org.jvrpc.mlx5;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.WcStatus;

/** Numbers of errors and of QPs, and how large rings are. */
final class SizesTest {

    @ParameterizedTest
    @EnumSource(WcStatus.class)
    void aStatusWithANumberComesBackFromIt(WcStatus status) {
        int number = Syndrome.of(status);
        assertTrue(number == 0 || Syndrome.status(number) == status, "number=" + number);
        assertEquals(WcStatus.GENERAL_ERR, Syndrome.status(0xff));
        assertSame(Syndrome.status(number), Syndrome.status(number - 256), "a byte of either sign");
    }

    @ParameterizedTest
    @CsvSource({"0,1", "1,1", "2,2", "3,4", "4,4", "5,8", "1073741824,1073741824"})
    void sizesAreRoundedUpToPowersOfTwo(int value, int expected) {
        assertEquals(expected, Mlx5QueuePair.roundUp(value));
    }

    @ParameterizedTest
    @CsvSource({"8,1,0,8", "8,2,0,8", "8,3,0,16", "8,6,0,16", "8,7,0,32", "8,1,12,8", "8,1,28,8", "8,1,29,16",
        "8,1,44,16", "1,1,0,1"})
    void aSendQueueHasBlocksForTheWidestRequests(int depth, int sges, int inline, int blocks) {
        Rings rings = Rings.usual();
        assertEquals(blocks, Mlx5QueuePair.sendBlocks(
                new QueuePairAttributes(rings.cq, rings.cq).depth(depth, 1).sges(sges, 1).inline(inline)));
    }

    @Test
    void theSendQueueOfACrossChannelQueuePairHasRoomForWhatProgramsLoad() {
        Rings rings = Rings.usual();
        assertEquals(16, Mlx5QueuePair.sendBlocks(
                new QueuePairAttributes(rings.cq, rings.cq).depth(8, 1).sges(2, 1).crossChannel(true)));
    }

    private static Mlx5QueuePair qp(int number) {
        Rings rings = Rings.usual();
        return new Mlx5QueuePair(number, new QueuePairAttributes(rings.cq, rings.cq).depth(8, 4),
                new QueueMemory(rings.memory, Rings.SQ, 8, 64, 0), new QueueMemory(rings.memory, Rings.RQ, 4, 16, 0),
                null, null, null);
    }

    @Test
    void queuePairsAreFoundByTheirNumbersWhateverTheseHaveInCommon() {
        QueuePairTable table = new QueuePairTable();
        assertNull(table.find(5));
        int[] numbers = {8, 16, 24, 1, 9, 7, 15, 23, 0, 0xffffff};
        Mlx5QueuePair[] made = new Mlx5QueuePair[numbers.length];
        for (int i = 0; i < numbers.length; i++) {
            made[i] = qp(numbers[i]);
            table.add(made[i]);
            for (int j = 0; j < numbers.length; j++) {
                assertSame(j <= i ? made[j] : null, table.find(numbers[j]), i + " " + j);
            }
        }
        table.add(made[0]);
        table.remove(qp(8)); // another of the same number is not there
        for (int i = 0; i < numbers.length; i++) {
            assertSame(made[i], table.find(numbers[i]));
            table.remove(made[i]);
            table.remove(made[i]);
            assertNull(table.find(numbers[i]));
        }
        assertNull(table.find(32));
    }
}
