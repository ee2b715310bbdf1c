package org.jvrpc.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.jvrpc.offload.lookup.Offer;
import org.jvrpc.offload.table.MethodTable;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.MemoryRegion;

/** How a method is offered to programs: defaults, limits, copies. */
class OffloadSettingsTest {

    private static List<Object> values(OffloadSettings settings) {
        return Arrays.asList(settings.capacity(), settings.answerBytes(), settings.wqesPerSecond(), settings.burst(),
                settings.rearm(), settings.memory(), settings.offset(), settings.hostAddress(), settings.hostName());
    }

    private static void refused(String why, Executable what) {
        String message = assertThrows(IllegalArgumentException.class, what).getMessage();
        assertTrue(message.contains(why), message);
    }

    @Test
    void theDefaultsAreAsTheyAreSaid() {
        OffloadSettings settings = new OffloadSettings();
        assertEquals(Arrays.asList(16384, 512, Long.MAX_VALUE, Integer.MAX_VALUE, Offer.Rearm.RECYCLED, null, 0L, null,
                null), values(settings));
        assertEquals(MethodTable.bytes(16384, 512), settings.bytes());
    }

    @Test
    void theEndsOfEachRangeAreTakenAndOneBeyondRefused() {
        OffloadSettings settings = new OffloadSettings();
        assertSame(settings, settings.capacity(1).answerBytes(64).rate(1, 1).rearm(Offer.Rearm.PREPOSTED));
        assertEquals(Arrays.asList(1, 64, 1L, 1, Offer.Rearm.PREPOSTED, null, 0L, null, null), values(settings));
        settings.capacity(1 << 24).answerBytes(1 << 20).rate(Long.MAX_VALUE, Integer.MAX_VALUE);
        assertEquals(List.of(1 << 24, 1 << 20), values(settings).subList(0, 2));
        refused("capacity must be 1 to 16777216, capacity=0", () -> settings.capacity(0));
        refused("capacity=16777217", () -> settings.capacity((1 << 24) + 1));
        refused("answerBytes must be 64 to 1048576, answerBytes=63", () -> settings.answerBytes(63));
        refused("answerBytes=1048577", () -> settings.answerBytes((1 << 20) + 1));
        refused("wqesPerSecond", () -> settings.rate(0, 1));
        refused("burst", () -> settings.rate(1, 0));
        assertThrows(NullPointerException.class, () -> settings.rearm(null));
    }

    @Test
    void aCopyHasTheSameSettingsAndKeepsThem() {
        ShmFolder.address(); // fails where it would be the user's own folder
        try (Device device = Devices.open("shm://any")) {
            MemoryRegion region = device.allocatePd().allocate(64, 0);
            OffloadSettings settings = new OffloadSettings().capacity(2).answerBytes(65).rate(3, 4)
                    .rearm(Offer.Rearm.PREPOSTED).hosted("shm://host", "name", region, 128);
            OffloadSettings copy = settings.copy();
            settings.capacity(9);
            assertEquals(Arrays.asList(2, 65, 3L, 4, Offer.Rearm.PREPOSTED, region, 128L, "shm://host", "name"),
                    values(copy));
            assertNull(new OffloadSettings().copy().memory());
        }
    }

    @Test
    void anotherHostHasAnAddressANameAndARegion() {
        OffloadSettings settings = new OffloadSettings();
        assertEquals("address", assertThrows(NullPointerException.class,
                () -> settings.hosted(null, "name", null, 0)).getMessage());
        assertEquals("name", assertThrows(NullPointerException.class,
                () -> settings.hosted("a", null, null, 0)).getMessage());
        assertEquals("region", assertThrows(NullPointerException.class,
                () -> settings.hosted("a", "name", null, 0)).getMessage());
    }
}
