package org.jvrpc.offload.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

/** Copies of the header whose words were read in any order while it changed. */
final class IndexHeaderTest {

    private static final int WORDS = IndexHeader.BYTES / 8;

    private static ByteBuffer memory() {
        return ByteBuffer.allocateDirect(IndexHeader.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** As {@link IndexHeader#publish} stores them, one after the other. */
    private static long[][] statesOf(ByteBuffer memory, long address, long count) {
        long[] before = new long[WORDS];
        long[] after = new long[WORDS];
        memory.asLongBuffer().get(0, before);
        IndexHeader.publish(memory, 0, address, count);
        memory.asLongBuffer().get(0, after);
        return new long[][] {before, after};
    }

    @Test
    void aCopyWithWordsOfTwoPublicationsIsNotWhole() {
        ByteBuffer memory = memory();
        IndexHeader.publish(memory, 0, 0x10000000040L, 8);
        for (long[] next : new long[][] {{0x10000000040L, 8}, {0x10000004000L, 16}, {0x10000008000L, 16}}) {
            long[][] states = statesOf(memory, next[0], next[1]);
            for (int mixture = 0; mixture < 1 << WORDS; mixture++) {
                ByteBuffer copy = memory();
                boolean whole = false;
                for (int word = 0; word < WORDS; word++) {
                    copy.putLong(8 * word, states[mixture >> word & 1][word]);
                }
                for (long[] state : states) {
                    boolean same = true;
                    for (int word = 0; word < WORDS; word++) {
                        same &= copy.getLong(8 * word) == state[word];
                    }
                    whole |= same;
                }
                assertEquals(whole, IndexHeader.isWhole(copy, 0),
                        "words of the later: " + Integer.toBinaryString(mixture));
            }
        }
    }

    @Test
    void memoryThatNobodyWroteIsNoHeader() {
        assertFalse(IndexHeader.isWhole(memory(), 0));
    }

    @Test
    void whatIsWithdrawnIsNotWholeUntilItIsPublished() {
        ByteBuffer memory = memory();
        IndexHeader.publish(memory, 0, 64, 8);
        assertTrue(IndexHeader.isWhole(memory, 0));
        long generation = IndexHeader.generation(memory, 0);
        IndexHeader.withdraw(memory, 0);
        assertFalse(IndexHeader.isWhole(memory, 0));
        IndexHeader.withdraw(memory, 0);
        assertFalse(IndexHeader.isWhole(memory, 0), "also when its maker dies and the next withdraws it");
        IndexHeader.publish(memory, 0, 64, 8);
        assertTrue(IndexHeader.isWhole(memory, 0));
        assertEquals(generation + 1, IndexHeader.generation(memory, 0));
    }
}
