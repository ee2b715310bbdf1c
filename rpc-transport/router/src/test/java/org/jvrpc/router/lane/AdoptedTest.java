package org.jvrpc.router.lane;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.ProtectionDomain;

/** How many of tenants' windows the device below knows at once. */
final class AdoptedTest {

    private static final int MOST = 2048;
    private static final int BYTES = 64;

    private final Device device = Devices.open("roce://127.0.0.1:1");
    private final ProtectionDomain pd = device.allocatePd();
    private final Adopted adopted = new Adopted(device);
    private final List<Slab> slabs = new ArrayList<>();

    @AfterEach
    void close() {
        device.close();
    }

    private Slab slab() {
        Slab made = Slab.wrap(ByteBuffer.allocateDirect(BYTES), slabs.size() % 60_000 + 1);
        slabs.add(made);
        return made;
    }

    private MemoryRegion share(Slab slab) {
        MemoryRegion region = adopted.share(pd, slab, slab.base(), BYTES, Access.REMOTE_READ);
        assertNotNull(region);
        return region;
    }

    @Test
    void eachWindowIsRegisteredOnce() {
        Slab slab = slab();
        share(slab).close();
        share(slab).close();
        assertEquals(1, adopted.size());
        adopted.forget(slab);
        assertEquals(0, adopted.size());
        adopted.forget(slab);
        share(slab).close();
        assertEquals(1, adopted.size());
    }

    @Test
    void oneMoreThanThereMayBeHasTheOldestForgottenAndWhatIsSharedOfItStays() {
        Slab oldest = slab();
        MemoryRegion shared = share(oldest);
        for (int i = 1; i < MOST + 100; i++) {
            share(slab()).close();
            assertTrue(adopted.size() <= MOST, "windows=" + adopted.size());
        }
        assertEquals(MOST, adopted.size());
        assertTrue(shared.rkey() != 0 && shared.length() == BYTES);
        shared.close();
        share(oldest).close(); // once more, as it was forgotten
        assertEquals(MOST, adopted.size());
        slabs.forEach(adopted::forget);
        assertEquals(0, adopted.size());
    }
}
