package org.jvrpc.runtime.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class MessageHeaderTest {

    private static final long SEED = Long.getLong("jvrpc.seed", System.nanoTime());

    @Test
    void everyFieldComesOutAsItWentIn() {
        SplittableRandom random = new SplittableRandom(SEED);
        System.out.println("everyFieldComesOutAsItWentIn: -Djvrpc.seed=" + SEED);
        for (int i = 0; i < 10_000; i++) {
            int kind = random.nextInt(256);
            int credits = random.nextInt(1 << 16);
            int number = random.nextInt();
            long first = MessageHeader.first(kind, credits, number);
            assertEquals(kind, MessageHeader.kind(first));
            assertEquals(credits, MessageHeader.credits(first));
            assertEquals(number, MessageHeader.number(first));
            int length = random.nextInt();
            int rest = random.nextInt();
            long second = MessageHeader.second(length, rest);
            assertEquals(length, MessageHeader.length(second));
            assertEquals(rest, MessageHeader.rest(second));
        }
    }

    @Test
    void theBytesAreThoseOfTheDiagram() {
        assertEquals(0x56789abc_1234_00_02L, MessageHeader.first(MessageHeader.CREDIT, 0x1234, 0x56789abc));
        assertEquals(0x11223344_55667788L, MessageHeader.second(0x55667788, 0x11223344));
    }
}
