package org.jvrpc.runtime.service;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;

class MethodOfferTest {

    private final ByteBuffer memory = ByteBuffer.allocateDirect(1024);
    private final WireWriter out = new WireWriter();

    private WireWriter begin(int count) {
        out.reset(memory, 0, memory.capacity(), null, null);
        out.writeCount(count);
        return out;
    }

    private MethodOffer[] read(int length, int methods) {
        WireReader in = new WireReader();
        in.reset(memory, 0, length, null);
        return MethodOffer.readAll(in, methods);
    }

    @Test
    void offersComeOutAsTheyWentIn() {
        begin(0);
        assertNull(read(out.length(), 3));
        MethodOffer[] offers = {new MethodOffer(0, 64, "shm://a.offload", "x/y#0"),
            new MethodOffer(2, 1 << 20, "shm://b", "größer")};
        begin(2);
        offers[0].write(out);
        offers[1].write(out);
        assertArrayEquals(offers, read(out.length(), 3));
    }

    @Test
    void whatNoServerOffersIsRefused() {
        for (MethodOffer bad : new MethodOffer[] {new MethodOffer(3, 64, "a", "b"), new MethodOffer(0, 63, "a", "b"),
            new MethodOffer(0, -1, "a", "b"), new MethodOffer(0, (1 << 20) + 1, "a", "b")}) {
            begin(1);
            bad.write(out);
            assertEquals(Status.INTERNAL,
                    assertThrows(RpcException.class, () -> read(out.length(), 3), bad::toString).status());
        }
    }

    /** Writes nothing but noise, or one offer that may be damaged or cut off; returns its length. */
    private int someBytes(SplittableRandom random) {
        int length = random.nextInt(100);
        if (random.nextBoolean()) {
            for (int i = 0; i < length; i++) {
                memory.put(i, (byte) random.nextInt(random.nextBoolean() ? 3 : 256));
            }
            return length;
        }
        begin(1);
        new MethodOffer(random.nextInt(5), random.nextInt(1 << random.nextInt(8, 22)), "shm://a", "n").write(out);
        for (int damage = random.nextInt(3); damage > 0; damage--) {
            memory.put(random.nextInt(out.length()), (byte) random.nextInt());
        }
        return random.nextInt(4) == 0 ? random.nextInt(out.length()) : out.length();
    }

    @Test
    void noBytesDoHarm() {
        long seed = System.nanoTime();
        System.out.println("noBytesDoHarm: seed=" + seed);
        SplittableRandom random = new SplittableRandom(seed);
        int read = 0;
        int refused = 0;
        for (int round = 0; round < 100_000; round++) {
            int length = someBytes(random);
            try {
                MethodOffer[] offers = read(length, 3);
                if (offers != null) {
                    read++;
                    for (MethodOffer offer : offers) {
                        assertTrue(offer.index() >= 0 && offer.index() < 3 && offer.answerBytes() >= 64
                                && offer.answerBytes() <= 1 << 20, offer::toString);
                    }
                }
            } catch (RpcException e) {
                assertEquals(Status.INTERNAL, e.status(), e.getMessage());
                refused++;
            }
        }
        assertTrue(read > 0 && refused > 0, "read=" + read + " refused=" + refused);
    }
}
