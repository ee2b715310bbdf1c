package org.jvrpc.offload.lookup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.jvrpc.offload.table.KeyArray;
import org.jvrpc.testing.SharedMemoryFolder;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.MemoryRegion;

/** Searches in an array of a host in this process, over two devices. */
class ArraySearchTest {

    private static final long TIMEOUT_NS = 5_000_000_000L;
    private static final long KEY = 0xffff_ffff_ff00L;

    private final String address = SharedMemoryFolder.freshAddress();
    private final Device hostDevice = Devices.open("shm://any");
    private final Device clientDevice = Devices.open("shm://any");
    private final EventChannel channel = clientDevice.createChannel();
    private final MemoryRegion data =
            hostDevice.allocatePd().allocate(4096, Access.LOCAL_WRITE | Access.REMOTE_READ);
    private final OffloadHost host = new OffloadHost(hostDevice, address);

    @AfterEach
    void close() {
        host.close();
        clientDevice.close();
        hostDevice.close();
    }

    @ParameterizedTest
    @EnumSource(Offer.Rearm.class)
    void aKeyIsFoundAtItsPlace(Offer.Rearm rearm) {
        KeyArray array = KeyArray.create(data, 64, 13);
        for (int i = 0; i < 13; i++) {
            assertTrue(array.add(KEY + i));
        }
        host.offer(new Offer("array", LookupKind.ARRAY_SEARCH, data, 64, rearm, Long.MAX_VALUE, Integer.MAX_VALUE));
        OffloadClient client = OffloadClient.connect(clientDevice, address, "array", 64, channel, TIMEOUT_NS);
        for (int round = 0; round < 30; round++) {
            for (int i = 0; i < 13; i++) {
                long keys = array.address(i / 8 * 8);
                assertEquals(Outcome.FOUND, client.arraySearch(KEY + i, keys, TIMEOUT_NS), "key " + i);
                assertEquals(i % 8 + 1, client.answer().getLong(0), "key " + i);
                assertEquals(Outcome.MISSED, client.arraySearch(KEY + 20 + i, keys, TIMEOUT_NS), "no key " + i);
            }
        }
        array.set(3, 1);
        assertEquals(Outcome.FOUND, client.arraySearch(1, array.address(0), TIMEOUT_NS));
        assertEquals(4, client.answer().getLong(0));
        assertThrows(IllegalArgumentException.class, () -> client.arraySearch(0, array.address(0), TIMEOUT_NS));
        client.close();
    }

    @Test
    void anArrayIsTakenUpAsItWasLeft() {
        KeyArray array = KeyArray.create(data, 0, 16);
        for (int i = 0; i < 9; i++) {
            array.add(KEY + i);
        }
        KeyArray attached = KeyArray.attach(data, 0);
        assertEquals(9, attached.size());
        assertEquals(array.address(8), attached.address(8));
        assertEquals(KEY + 8, attached.key(8));
        for (int i = 9; i < 16; i++) {
            assertTrue(attached.add(KEY + i));
        }
        assertFalse(attached.add(KEY + 16), "it is full");
        assertThrows(IllegalArgumentException.class, () -> KeyArray.create(data, 0, 512));
        assertThrows(IllegalArgumentException.class, () -> attached.set(3, KeyArray.NO_KEY));
    }
}
