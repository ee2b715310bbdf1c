package org.jvrpc.router.lane;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.softrnic.memory.MemoryRange;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.VerbsException;

/** Tenants' slabs as devices know them that have their own ways with memory. */
class AdoptedTest {

    private static final int BYTES = 64 << 10;
    private static final int AT = 4096;

    private final Device device = Devices.open("roce://127.0.0.1:1");
    private final ProtectionDomain pd = device.allocatePd();
    private final Adopted adopted = new Adopted(device);
    private final Slab slab = Slab.wrap(ByteBuffer.allocateDirect(BYTES), 3);
    private final List<Integer> pinned = new ArrayList<>();
    private RuntimeException refusal;

    @AfterEach
    void end() {
        device.close();
    }

    /** A domain that pins what it adopts, as those of real devices do. */
    private ProtectionDomain pins() {
        return (ProtectionDomain) Proxy.newProxyInstance(getClass().getClassLoader(),
                new Class<?>[] {ProtectionDomain.class}, (proxy, method, arguments) -> {
                    switch (method.getName()) {
                        case "pinsMemory":
                            return true;
                        case "adopt":
                            if (refusal != null) {
                                throw refusal;
                            }
                            pinned.add(((ByteBuffer) arguments[0]).capacity());
                            break;
                        case "share":
                            throw new AssertionError("it pins all of a window");
                        default:
                            break;
                    }
                    try {
                        return method.invoke(pd, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Test
    void aDeviceInSoftwareKnowsAWindowOnceAndAllThatIsMovedOfIt() {
        for (int i = 0; i < 3; i++) {
            MemoryRegion region = adopted.share(pd, slab, slab.base() + AT, 100, Access.REMOTE_READ);
            assertEquals(100, region.length());
            region.close();
        }
        assertEquals(1, adopted.size());
        adopted.forget(slab);
        assertEquals(0, adopted.size());
    }

    @Test
    void aDeviceThatPinsMemoryKnowsWhatIsMovedAloneAndWhileItIs() {
        slab.window(slab.base()).put(AT, (byte) 77);
        MemoryRegion region = adopted.share(pins(), slab, slab.base() + AT, 100, Access.REMOTE_READ);
        assertEquals(List.of(100), pinned);
        assertEquals(100, region.length());
        assertEquals(77, region.buffer(0, 1).get(0));
        assertEquals(0, adopted.size());
        region.close();
        adopted.forget(slab);
    }

    @Test
    void whatCannotBePinnedNowMayBeLater() {
        refusal = new VerbsException("reg_mr", "the file was cut");
        assertNull(adopted.share(pins(), slab, slab.base(), 100, Access.REMOTE_READ));
        refusal = null;
        MemoryRegion region = adopted.share(pins(), slab, slab.base(), 100, Access.REMOTE_READ);
        assertNotNull(region);
        region.close();
    }

    @Test
    void aTenantWhoseMemoryCannotBePinnedGoesByCopiesForAWhile() {
        CompletionQueue cq = device.createCq(CompletionQueueAttributes.ofDepth(64));
        Bulk bulk = new Bulk(adopted, pins(), cq);
        bulk.connected(0, null);
        Holder guilty = new Holder();
        Holder other = new Holder();
        refusal = new VerbsException("reg_mr", "the file was cut");
        MemoryRange range = new MemoryRange();
        range.set(slab, slab.base());
        assertFalse(bulk.open(new Bulk.Transfer(new Owner(guilty)), range, 100, Access.REMOTE_READ));
        refusal = null;
        assertFalse(bulk.mayOpen(guilty));
        assertTrue(bulk.mayOpen(other));
        assertTrue(bulk.open(new Bulk.Transfer(new Owner(other)), range, 100, Access.REMOTE_READ));
        bulk.close();
        cq.close();
    }

    private record Owner(Holder holder) implements Bulk.Owner {

        @Override
        public void ended(boolean came) {
            throw new AssertionError("nothing was read");
        }

        @Override
        public void revoked() {
            throw new AssertionError("nothing was revoked");
        }
    }
}
