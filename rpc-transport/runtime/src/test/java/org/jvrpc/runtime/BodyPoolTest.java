package org.jvrpc.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;

class BodyPoolTest {

    private final Device device = Devices.open(ShmFolder.address());
    private final BodyPool pool = new BodyPool(device.allocatePd());

    @AfterEach
    void close() {
        pool.close();
        device.close();
    }

    @Test
    void bodiesHaveRoomForWhatWasAskedAndAtMostTwiceThat() {
        for (long bytes : new long[] {0, 1, 16_383, 16_384, 16_385, 32_768, 32_769, 1_000_000, 1 << 20, 1 << 20 | 1}) {
            Body body = pool.take(bytes);
            assertTrue(body.capacity() >= bytes, "bytes=" + bytes + " capacity=" + body.capacity());
            assertTrue(body.capacity() <= Math.max(2 * bytes, 16_384), "bytes=" + bytes + " is " + body.capacity());
            pool.give(body);
        }
    }

    @Test
    void whatComesBackIsTakenAgainForTheSameSize() {
        Body small = pool.take(100);
        Body large = pool.take(100_000);
        pool.give(small);
        pool.give(large);
        assertSame(large, pool.take(70_000));
        assertSame(small, pool.take(16_384));
        assertNotSame(small, pool.take(16_384));
    }

    @Test
    void itKeepsSixtyFourMebibytesAndClosesTheRest() {
        List<Body> bodies = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            bodies.add(pool.take(16 << 20));
        }
        bodies.forEach(pool::give);
        List<Body> again = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            again.add(pool.take(16 << 20));
        }
        assertEquals(4, again.stream().filter(bodies::contains).count());
    }

    @Test
    void aClosedPoolKeepsNothing() {
        Body body = pool.take(1);
        pool.close();
        pool.give(body);
        assertNotSame(body, pool.take(1));
    }
}
