package org.jvrpc.runtime.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.jvrpc.runtime.session.Protocol;

/** A link over a device that delivers at once what is pushed. One thread. */
final class VerbsLinkPushTest {

    private static final int SLOTS = 2;
    private static final int SLOT_BYTES = 100;
    private static final long BODIES = StillDevice.ADDRESS + 64 * (SLOTS + Protocol.CONTROLS);

    private final StillDevice device = new StillDevice();
    private final VerbsLink link =
            new VerbsLink(() -> 0, device.device(), new SessionDomain(device.device(), null), null,
                    LinkSize.fixed(SLOTS, SLOT_BYTES, SLOTS));

    VerbsLinkPushTest() {
        device.pushes = true;
    }

    private static List<Long> message(long first, long second, long length, int slot) {
        return List.of(first, second, length, BODIES + slot * LinkLayout.body(0, SLOT_BYTES, 1));
    }

    @Test
    void aMessageIsHandedOverAndNothingPosted() {
        assertTrue(link.send(1, 11, 21, 6));
        assertEquals(List.of(message(11, 21, 6, 1)), device.pushed);
        assertEquals(List.of(), device.posted);
        assertEquals(1, link.sends());
        assertFalse(link.isBehind());
        assertTrue(link.hasLeft(), "there is nothing to wait for");
    }

    @Test
    void noneEverAsksForItsCompletion() {
        for (int i = 0; i < 200; i++) {
            assertTrue(link.send(0, i, 0, 0));
        }
        assertEquals(200, device.pushed.size());
        assertEquals(List.of(), device.posted);
        assertEquals(200, link.sends());
    }

    @Test
    void thePeerIsWokenForThemOnce() {
        link.send(0, 1, 2, 3);
        device.did.clear();
        assertFalse(link.poll());
        assertEquals(List.of("wake"), device.did());
        assertFalse(link.poll());
        assertEquals(List.of(), device.did());
        link.send(0, 1, 2, 3);
        assertFalse(link.poll());
        assertEquals(List.of("wake"), device.did());
    }

    @Test
    void whatWaitsForRoomIsNotOvertaken() {
        device.pushes = false;
        device.room = 0;
        assertTrue(link.send(0, 1, 2, 3));
        device.pushes = true;
        assertTrue(link.send(1, 4, 5, 6));
        assertEquals(List.of(), device.pushed);
        device.room = 2;
        link.catchUp();
        assertFalse(link.isBehind());
        assertEquals(2, device.posted.size());
        assertTrue(link.send(0, 7, 8, 9));
        assertEquals(1, device.pushed.size());
    }

    @Test
    void aBodyIsHandedOverFromWhereItLies() {
        assertTrue(link.sendFrom(1, 11, 21, 8, ByteBuffer.allocateDirect(99), 7, 90));
        assertEquals(List.of(List.of(11L, 21L, 8L, 7L, 90L)), device.pushed);
        assertEquals(List.of(), device.posted);
        assertEquals(1, link.sends());
        device.did.clear();
        link.wakePeer();
        assertEquals(List.of("wake"), device.did());
    }

    @Test
    void aBodyIsToBeCopiedWhereTheDeviceTakesItFromItsSlotOnly() {
        device.pushes = false;
        assertFalse(link.sendFrom(1, 11, 21, 8, ByteBuffer.allocateDirect(99), 7, 90));
        assertEquals(List.of(), device.posted);
        assertEquals(0, link.sends());
    }

    @Test
    void whatWaitsForRoomIsNotOvertakenByABodyThatLiesElsewhere() {
        device.pushes = false;
        device.room = 0;
        assertTrue(link.send(0, 1, 2, 3));
        device.pushes = true;
        assertFalse(link.sendFrom(1, 11, 21, 8, ByteBuffer.allocateDirect(99), 7, 90));
        assertEquals(List.of(), device.pushed);
    }

    @Test
    void aOneWayMessageHasLeftAtOnceAndWakesThePeer() {
        device.did.clear();
        long send = link.sendOneWay(1, 1, 2, 3);
        assertTrue(link.isSent(send), "its memory is free");
        assertEquals(List.of(message(1, 2, 3, 1)), device.pushed);
        assertEquals(List.of("wake"), device.did());
        assertEquals(List.of(), device.posted);
    }

    @Test
    void controlMessagesHaveRoomForEver() {
        for (int i = 0; i < 5 * Protocol.CONTROLS; i++) {
            assertTrue(link.hasControl());
            assertTrue(link.sendControl(i, 0));
        }
        assertEquals(5 * Protocol.CONTROLS, device.pushed.size());
        assertEquals(List.of(), device.posted);
    }

    @Test
    void whatWasPostedBeforeIsStillAskedAfter() {
        device.pushes = false;
        assertTrue(link.send(0, 1, 2, 3));
        device.pushes = true;
        assertTrue(link.send(1, 4, 5, 6));
        assertFalse(link.hasLeft(), "the first is not acknowledged");
        assertEquals(2, device.posted.size(), "which a ping tells");
        assertEquals(3, link.sends());
    }
}
