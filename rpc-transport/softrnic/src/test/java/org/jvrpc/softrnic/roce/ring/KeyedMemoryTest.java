package org.jvrpc.softrnic.roce.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.mlx5.Mlx5QueuePair;
import org.jvrpc.softrnic.ShmDeviceProvider;
import org.jvrpc.softrnic.ShmEnd;
import org.jvrpc.softrnic.queue.PortQueuePair;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.MemoryRegion;

class KeyedMemoryTest {

    private final Device device = new ShmDeviceProvider().open();
    private ShmEnd end;
    private MemoryRegion region;
    private ByteBuffer bytes;
    private KeyedMemory memory;

    @BeforeEach
    void open() {
        end = new ShmEnd(device, 4);
        region = end.pd.allocate(64, Access.LOCAL_WRITE | Access.REMOTE_ATOMIC | Access.REMOTE_WRITE);
        bytes = region.buffer(0, 64).order(ByteOrder.nativeOrder());
        PortQueuePair qp = (PortQueuePair) ((Mlx5QueuePair) end.qp).control();
        memory = new KeyedMemory(qp.regions(), qp.pd(), RemoteKeys.plain());
    }

    @AfterEach
    void close() {
        region.close();
        end.close();
        device.close();
    }

    private boolean allows(int access) {
        return memory.allows(region.rkey(), region.address() + 8, 8, access);
    }

    /** Whoever closes it waits for the QP's lock before the memory is used again: see RocePortTest. */
    @Test
    void anAtomicThatWasAllowedIsDoneThoughTheKeyGoesMeanwhile() {
        bytes.putLong(8, 40);
        assertTrue(allows(Access.REMOTE_ATOMIC));
        region.close();
        assertEquals(40, memory.fetchAndAdd(region.rkey(), region.address() + 8, 2));
        assertEquals(42, bytes.getLong(8));
        assertFalse(allows(Access.REMOTE_ATOMIC));
    }

    @Test
    void whatIsWrittenLooksItsKeyUpAgain() {
        assertTrue(allows(Access.REMOTE_WRITE));
        region.close();
        assertFalse(memory.write(region.rkey(), region.address(), ByteBuffer.allocateDirect(8), 0, 8));
        assertFalse(allows(Access.REMOTE_WRITE));
    }
}
