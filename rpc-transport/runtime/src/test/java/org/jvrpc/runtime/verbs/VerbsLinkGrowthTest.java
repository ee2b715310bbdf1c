package org.jvrpc.runtime.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.SessionLimits;
import org.jvrpc.runtime.session.Link;
import org.jvrpc.runtime.session.RpcHeader;
import org.jvrpc.runtime.session.SessionBudget;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.VerbsException;

/** A link that grows, on a device that does only what it is told to. */
class VerbsLinkGrowthTest {

    private static final int SLOT_BYTES = 64;
    private static final int STRIDE = ReceiveBatches.stride(SLOT_BYTES);

    private final StillDevice device = new StillDevice();
    private final SessionBudget budget = new SessionBudget(new SessionLimits().sessionMemory(1 << 20));
    private final SessionDomain domain = new SessionDomain(device.device(), budget.admit(null));
    /** A slot that may become three, and 5 receives that may become 14. */
    private final VerbsLink link =
            new VerbsLink(() -> 0, device.device(), domain, null, new LinkSize(1, 3, SLOT_BYTES, 3, 12));
    private final MemoryRegion first = device.region();

    private List<Long> receives() {
        List<Long> now = new ArrayList<>(device.receives);
        device.receives.clear();
        return now;
    }

    private void takes(int... receives) {
        for (int receive : receives) {
            device.received.message(receive, RpcHeader.BYTES);
            assertTrue(link.poll());
        }
        assertFalse(link.poll());
    }

    private static int[] from(int first, int count) {
        return java.util.stream.IntStream.range(first, first + count).toArray();
    }

    @Test
    void newReceivesComeBehindThoseThatArePosted() {
        assertEquals(List.of(0L, 2L, 4L), receives());
        takes(from(0, 2));
        assertEquals(List.of(0L), receives());
        takes(2);
        link.grow(link.prepare(3, 12));
        assertEquals(List.of(5L, 7L, 9L, 11L, 13L), receives(), "behind 3, which is not taken yet, 4, 0 and 1");
        takes(3);
        assertEquals(List.of(2L), receives());
        takes(4);
        assertEquals(List.of(4L), receives(), "the batch of one");
        takes(0, 1);
        takes(from(5, 9));
        takes(2, 3);
        assertEquals(List.of(0L, 5L, 7L, 9L, 11L, 13L, 2L), receives());
    }

    @Test
    void aMessageLiesInTheRegionOfItsReceive() {
        link.grow(link.prepare(3, 12));
        MemoryRegion second = device.region();
        int base = LinkLayout.receives(2, 2, SLOT_BYTES);
        second.buffer(base + 2 * STRIDE, 16).putLong(0, 123).putLong(8, 456);
        first.buffer(LinkLayout.receives(9, 1, SLOT_BYTES) + 4 * STRIDE, 16).putLong(0, 789);
        device.received.message(7, RpcHeader.BYTES);
        assertTrue(link.poll());
        assertEquals(123, link.first());
        assertEquals(456, link.second());
        device.received.message(4, RpcHeader.BYTES);
        assertTrue(link.poll());
        assertEquals(789, link.first());
    }

    @Test
    void theNewSlotsAreSentFromTheirRegionAndControlMessagesFromTheFirst() {
        link.grow(link.prepare(3, 12));
        MemoryRegion second = device.region();
        link.body(2).putLong(0, 42);
        assertEquals(42, second.buffer(LinkLayout.body(2, SLOT_BYTES, 1), 8).getLong(0));
        assertEquals(SLOT_BYTES, link.body(2).capacity());
        assertTrue(link.send(2, 1, 2, 8));
        assertEquals(1, second.buffer(LinkLayout.HEADER_STRIDE, 16).getLong(0));
        assertEquals(List.of(StillDevice.ADDRESS + LinkLayout.HEADER_STRIDE,
                StillDevice.ADDRESS + LinkLayout.body(2, SLOT_BYTES, 1)),
                device.posted.get(0).sges().stream().map(sge -> sge.address()).toList());
        assertTrue(link.sendControl(3, 4));
        assertEquals(3, first.buffer(LinkLayout.HEADER_STRIDE, 16).getLong(0), "behind the header of the one slot");
        assertEquals(RpcHeader.BYTES, device.posted.get(1).bytes());
    }

    @Test
    void itIsPaidForAndGivenBackAtTheEnd() {
        String before = budget.toString();
        Link.Growth growth = link.prepare(3, 12);
        long bytes = LinkLayout.regionBytes(2, 2, SLOT_BYTES, 9);
        assertEquals(before.replace("session bytes=0", "session bytes=" + bytes), budget.toString());
        link.grow(growth);
        device.did.clear();
        link.close();
        assertEquals(2, device.did.stream().filter("close memory"::equals).count());
        assertEquals(before, budget.toString());
        domain.close();
        assertTrue(budget.isEmpty());
    }

    @Test
    void aLinkThatWasClosedMeanwhileGivesItBack() {
        Link.Growth growth = link.prepare(3, 12);
        link.close();
        domain.close();
        assertFalse(device.did.contains("close domain"), "memory of it is in use");
        link.grow(growth);
        assertTrue(device.did.contains("close domain"));
        assertTrue(budget.isEmpty());
    }

    @Test
    void whereThereIsNoMemoryTheReasonIsTold() {
        VerbsException cause = new VerbsException("reg_mr", "planted");
        device.whenAllocating = () -> {
            throw cause;
        };
        String before = budget.toString();
        RpcException e = assertThrows(RpcException.class, () -> link.prepare(3, 12));
        assertEquals(Status.RESOURCE_EXHAUSTED, e.status());
        assertSame(cause, e.getCause());
        assertEquals(before, budget.toString());
        assertThrows(RpcException.class, () -> link.prepare(1 << 20, 12), "beyond what the server's sessions may take");
        assertEquals(before, budget.toString());
        assertNull(link.failure());
    }

    @Test
    void afterTheEndNoMemoryIsMade() {
        link.close();
        domain.close();
        assertThrows(RpcException.class, () -> link.prepare(3, 12));
        assertTrue(budget.toString().contains("session bytes=0 "), budget.toString());
    }

    @Test
    void memoryThatCannotBeSeenIsGivenBack() {
        String before = budget.toString();
        device.whenViewing = () -> {
            throw new OutOfMemoryError("planted");
        };
        assertThrows(OutOfMemoryError.class, () -> link.prepare(3, 12));
        assertEquals(before, budget.toString());
        device.whenViewing = () -> { };
        link.close();
        domain.close();
        assertTrue(budget.isEmpty());
    }

    @Test
    void aLinkWhoseSlotsCannotBePreparedFails() {
        Link.Growth growth = link.prepare(3, 12);
        device.refused = "prepare";
        link.grow(growth);
        assertTrue(link.failure().contains("planted"), link.failure());
    }
}
