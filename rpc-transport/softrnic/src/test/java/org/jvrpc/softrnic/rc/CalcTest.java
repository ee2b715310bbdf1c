package org.jvrpc.softrnic.rc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.jvrpc.mlx5.Wqe;

/** Calculations of messages, word by word. */
final class CalcTest {

    private static long reduce(int opmod, int words, long... values) {
        ByteBuffer memory = ByteBuffer.allocateDirect(Calc.MAX_BYTES); // big-endian
        for (int i = 0; i < values.length; i++) {
            memory.putLong(8 * i, values[i]);
        }
        Calc.reduce(opmod, memory, 8 * words);
        return memory.getLong(0);
    }

    @Test
    void theOpmodsOfCalculationsAreKnownAndNoOthers() {
        assertEquals(List.of(Wqe.CALC_ADD, Wqe.CALC_MAX, Wqe.CALC_AND, Wqe.CALC_OR, Wqe.CALC_XOR),
                IntStream.range(-1, 256).filter(Calc::knows).boxed().toList());
    }

    @ParameterizedTest
    @CsvSource({
        Wqe.CALC_ADD + ",0x24", Wqe.CALC_MAX + ",0x14", Wqe.CALC_AND + ",0x10", Wqe.CALC_OR + ",0x14",
        Wqe.CALC_XOR + ",0x04",
    })
    void eachCombinesWordsInItsOwnWay(int opmod, String expected) {
        assertEquals(Long.decode(expected), reduce(opmod, 2, 0x10, 0x14));
        assertEquals(Long.decode(expected) << 32, reduce(opmod, 2, 0x14L << 32, 0x10L << 32));
    }

    @Test
    void aSumCarriesAndComesRound() {
        assertEquals(1, reduce(Wqe.CALC_ADD, 3, -1, -1, 3));
        assertEquals(1L << 32, reduce(Wqe.CALC_ADD, 2, 0xffffffffL, 1));
    }

    @Test
    void theGreatestIsUnsigned() {
        assertEquals(-1, reduce(Wqe.CALC_MAX, 3, 5, -1, Long.MAX_VALUE));
        assertEquals(-1, reduce(Wqe.CALC_MAX, 2, -1, 5));
        assertEquals(7, reduce(Wqe.CALC_MAX, 2, 7, 7));
    }

    @Test
    void noWordBehindTheLastCounts() {
        assertEquals(1, reduce(Wqe.CALC_OR, 1, 1, 2, 4));
        assertEquals(3, reduce(Wqe.CALC_OR, 2, 1, 2, 4));
        assertEquals(136, reduce(Wqe.CALC_ADD, 16, IntStream.rangeClosed(1, 16).asLongStream().toArray()));
    }
}
