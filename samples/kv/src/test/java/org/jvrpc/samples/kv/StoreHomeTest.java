package org.jvrpc.samples.kv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.jvrpc.samples.kv.store.Clock;
import org.jvrpc.samples.kv.store.Store;
import org.jvrpc.samples.kv.store.StoreSettings;
import org.jvrpc.testing.SharedMemoryFolder;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.MemoryRegion;

/** A store that a hull kept for a program of another version. */
final class StoreHomeTest {

    private static final int LAYOUT_VERSION = 8;

    @Test
    void aStoreOfAnotherLayoutIsBegunAnew() {
        try (Device device = Devices.open(SharedMemoryFolder.freshAddress())) {
            StoreSettings settings = StoreSettings.ofMemory(16 << 20);
            MemoryRegion region = device.allocatePd().allocate(
                    settings.regionBytes(), Access.LOCAL_WRITE | Access.REMOTE_READ);
            Store.create(region, settings, Clock.system());
            assertNotNull(StoreHome.takeUp(region), "of this program's layout");
            var version = region.buffer(LAYOUT_VERSION, 4).order(ByteOrder.nativeOrder());
            int own = version.getInt(0);
            version.putInt(0, own + 1);
            assertNull(StoreHome.takeUp(region));
            Store.create(region, settings, Clock.system());
            assertEquals(own, version.getInt(0));
            assertNotNull(StoreHome.takeUp(region));
        }
    }
}
