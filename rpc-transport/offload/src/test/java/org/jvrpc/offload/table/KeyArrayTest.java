package org.jvrpc.offload.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.MemoryRegion;

/** Arrays of keys by themselves; {@link org.jvrpc.offload.lookup.ArraySearchTest} has programs search in them. */
final class KeyArrayTest {

    private static final int HEADER = 64;
    private static final int KEYS = HEADER + IndexHeader.BYTES;

    private final Device device = Devices.open("shm://any");
    private final MemoryRegion region =
            device.allocatePd().allocate(4096, Access.LOCAL_WRITE | Access.REMOTE_READ);
    private final ByteBuffer memory = region.buffer(0, 4096);

    @AfterEach
    void close() {
        device.close();
    }

    @Test
    void itTakesItsHeaderAndWholeSearches() {
        assertEquals(32 + 64, KeyArray.bytes(1));
        assertEquals(32 + 64, KeyArray.bytes(8));
        assertEquals(32 + 128, KeyArray.bytes(9));
        assertEquals(32 + 128, KeyArray.bytes(16));
    }

    @Test
    void aNewArrayIsNoKeysUpToAWholeSearch() {
        for (int at = 0; at < 512; at++) {
            memory.put(at, (byte) 0xee);
        }
        KeyArray array = KeyArray.create(region, HEADER, 9);
        assertEquals(0, array.size());
        assertEquals(region.address() + KEYS, IndexHeader.address(memory, HEADER));
        assertEquals(16, IndexHeader.count(memory, HEADER));
        assertTrue(IndexHeader.isWhole(memory, HEADER));
        for (int i = 0; i < 16; i++) {
            assertEquals(KeyArray.NO_KEY, array.key(i), "key " + i);
            assertEquals(KeyArray.image(KeyArray.NO_KEY), Long.reverseBytes(memory.getLong(KEYS + 8 * i)), "key " + i);
        }
        assertEquals((byte) 0xee, memory.get(HEADER - 1), "nothing before it is written");
        assertEquals((byte) 0xee, memory.get(KEYS + 128), "nothing behind it is written");
    }

    @Test
    void keysLieSideBySide() {
        KeyArray array = KeyArray.create(region, HEADER, 3);
        for (int i = 0; i < 8; i++) {
            assertTrue(array.add(0x1000 + i), "there is room up to a whole search");
            assertEquals(i + 1, array.size());
            assertEquals(region.address() + KEYS + 8 * i, array.address(i));
            assertEquals(KeyArray.image(0x1000 + i), Long.reverseBytes(memory.getLong(KEYS + 8 * i)));
        }
        assertFalse(array.add(1), "it is full");
        assertEquals(8, array.size());
        array.set(7, 5);
        array.set(0, 6);
        assertEquals(5, array.key(7));
        assertEquals(6, array.key(0));
        assertEquals(0x1001, array.key(1));
    }

    @Test
    void onlyKeysThatAreThereAreReplaced() {
        KeyArray array = KeyArray.create(region, HEADER, 8);
        array.add(1);
        assertThrows(IllegalArgumentException.class, () -> array.set(-1, 2));
        assertThrows(IllegalArgumentException.class, () -> array.set(1, 2));
        String message = assertThrows(IllegalArgumentException.class, () -> array.set(0, 0)).getMessage();
        assertTrue(message.contains("index=0 size=1 key=0"), message);
        assertEquals(1, array.key(0));
    }

    @Test
    void itIsTakenUpUpToItsFirstFreePlace() {
        KeyArray array = KeyArray.create(region, HEADER, 8);
        assertEquals(0, KeyArray.attach(region, HEADER).size());
        for (int i = 1; i <= 8; i++) {
            array.add(i);
            KeyArray attached = KeyArray.attach(region, HEADER);
            assertEquals(i, attached.size());
            assertEquals(i, attached.key(i - 1));
            assertEquals(array.address(i - 1), attached.address(i - 1));
        }
        assertFalse(KeyArray.attach(region, HEADER).add(9), "it is full");
    }

    @Test
    void keysMayLieAtTheRegionsStartAndBeNone() {
        for (int i = 0; i < 8; i++) {
            memory.putLong(8 * i, Long.reverseBytes(KeyArray.image(i + 1)));
        }
        memory.putLong(64, Long.reverseBytes(KeyArray.image(99))); // no key: it lies behind
        IndexHeader.publish(memory, 128, region.address(), 8);
        KeyArray array = KeyArray.attach(region, 128);
        assertEquals(8, array.size());
        assertEquals(1, array.key(0));
        IndexHeader.publish(memory, 128, region.address(), 0);
        assertEquals(0, KeyArray.attach(region, 128).size());
    }

    @Test
    void theLastBytesOfTheRegionCanBeKeysAndNoneBehind() {
        int header = 4096 - KeyArray.bytes(16);
        KeyArray.create(region, header, 16);
        KeyArray.attach(region, header);
        assertThrows(IllegalArgumentException.class, () -> KeyArray.create(region, header, 17));
        assertThrows(IllegalArgumentException.class, () -> KeyArray.create(region, header + 32, 16));
        IndexHeader.publish(memory, header, region.address() + header + IndexHeader.BYTES, 17);
        assertThrows(IllegalArgumentException.class, () -> KeyArray.attach(region, header));
    }

    @Test
    void badPlacesAndSizesAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> KeyArray.create(region, -32, 8));
        assertThrows(IllegalArgumentException.class, () -> KeyArray.create(region, 8, 8));
        assertThrows(IllegalArgumentException.class, () -> KeyArray.create(region, 0, 0));
        KeyArray.create(region, 0, 1);
        IndexHeader.publish(memory, 0, region.address() - 8, 1);
        assertThrows(IllegalArgumentException.class, () -> KeyArray.attach(region, 0), "keys before the region");
        for (long capacity : new long[] {-1, 1L << 61, 1L << 62, Long.MAX_VALUE}) {
            IndexHeader.publish(memory, 0, region.address() + 32, capacity);
            assertThrows(IllegalArgumentException.class, () -> KeyArray.attach(region, 0), "capacity=" + capacity);
        }
        IndexHeader.publish(memory, 0, region.address() + 4104, 0);
        assertThrows(IllegalArgumentException.class, () -> KeyArray.attach(region, 0), "keys behind the region");
    }
}
