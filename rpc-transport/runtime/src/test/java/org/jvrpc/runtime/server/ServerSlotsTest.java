package org.jvrpc.runtime.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.contract.CallsService;
import org.jvrpc.runtime.session.FuzzBodyPool;
import org.jvrpc.runtime.session.Hello;
import org.jvrpc.runtime.session.Protocol;
import org.jvrpc.runtime.session.RpcHeader;
import org.jvrpc.runtime.session.Versions;

/** How a server's session gets more slots, for a client that the test is. */
class ServerSlotsTest {

    private static final int FIRST = 4;
    private static final int MOST = 64;

    private final StillServer server = new StillServer();
    private final StillServer.Peer client = new StillServer.Peer();
    private final ServerSession session = new ServerSession(server.core, server.core.poller(0), 2, client,
            server.bodies, new Hello(Protocol.CALLS, new Versions(RpcHeader.VERSION, RpcHeader.VERSION), MOST, FIRST,
                    StillServer.SLOT_BYTES, 0, FuzzBodyPool.SOON_BYTES, 0, false), Protocol.CALLS.oneWayCredits(FIRST));

    @AfterEach
    void close() {
        server.close();
    }

    private void poll() {
        while (session.poll(FIRST) > 0) {
            // all of it
        }
    }

    private void asks(int slots) {
        client.add(RpcHeader.first(RpcHeader.GROW, 0, slots, 0), RpcHeader.second(0, 0, 0), new byte[0]);
        poll();
    }

    /** Returns what the client is told, when it is. */
    private String answer() {
        Await.until("an answer", () -> {
            poll();
            return !client.sent.isEmpty();
        });
        StillServer.Sent told = client.sent.remove(0);
        assertEquals(RpcHeader.GROWN, told.kind());
        return "slots=" + told.status() + " credits=" + told.credits();
    }

    private void calls(int slot) {
        byte[] open = StillServer.open(new CallsService());
        client.add(RpcHeader.first(RpcHeader.REQUEST, 0, RpcHeader.OPEN, StillServer.callId(slot)),
                RpcHeader.second(open.length, 0, 0), open);
        poll();
    }

    @Test
    void aClientThatAsksGetsSlotsAndTheirCredits() {
        asks(16);
        assertEquals("slots=16 credits=4", answer());
        asks(MOST);
        assertEquals("slots=64 credits=48", answer());
        assertEquals(List.of("prepare 16 " + Protocol.CALLS.requests(16), "grow",
                "prepare 64 " + Protocol.CALLS.requests(MOST), "grow"), client.growths);
        calls(MOST - 1);
        assertEquals(Status.OK.code(), client.last().status());
        assertEquals(MOST - 1, RpcHeader.slot(client.last().callId()));
        assertTrue(session.isConnected());
    }

    @Test
    void aSlotIsNoneBeforeItIsThere() {
        calls(FIRST);
        assertFalse(session.isConnected());
    }

    @Test
    void creditsComeBackInBatchesOfAllThatThereAre() {
        asks(MOST);
        assertEquals("slots=64 credits=52", answer());
        for (int i = 1; i < Protocol.creditBatch(55); i++) {
            client.add(RpcHeader.first(RpcHeader.RELEASE, 0, 0, 0), 0, new byte[0]);
            poll();
            assertEquals(List.of(), client.sent);
        }
        client.add(RpcHeader.first(RpcHeader.RELEASE, 0, 0, 0), 0, new byte[0]);
        poll();
        assertEquals(Protocol.creditBatch(55), client.last().credits());
    }

    @Test
    void whereThereIsNoMemoryTheClientIsTold() {
        client.noMemory = new RpcException(Status.RESOURCE_EXHAUSTED, "planted");
        asks(16);
        assertEquals("slots=4 credits=0", answer());
        calls(FIRST - 1);
        assertEquals(Status.OK.code(), client.last().status());
        client.sent.clear();
        client.noMemory = null;
        asks(16);
        assertEquals("slots=16 credits=4", answer());
    }

    @Test
    void aServerThatIsOverGrantsNothing() {
        server.core.shutdownNow();
        asks(16);
        assertEquals("slots=4 credits=0", answer());
    }

    @Test
    void theClientIsToldWhenThereIsRoom() {
        client.full = true;
        asks(16);
        Await.until("the memory", () -> {
            poll();
            return client.growths.contains("grow");
        });
        poll();
        assertEquals(List.of(), client.sent);
        assertTrue(session.isUnfinished());
        client.full = false;
        assertEquals("slots=16 credits=4", answer());
        poll();
        assertFalse(session.isUnfinished());
    }

    @Test
    void aLinkThatCannotGrowHasNoMoreSlotsAndEnds() {
        client.growthFailure = "planted";
        ServerSlots slots = new ServerSlots(
                session, client, new ServerControls(client, 3), new WireReader(), FIRST, MOST);
        assertNull(slots.grow(16));
        Await.until("the end", () -> {
            poll();
            return client.growths.contains("grow") && session.isOver();
        });
        assertNull(slots.find(FIRST), "there is no memory for it");
    }

    private void refused(int... asked) {
        for (int slots : asked) {
            asks(slots);
        }
        assertFalse(session.isConnected());
    }

    @Test
    void whoAsksForWhatItMayNotIsToldWhatIsWrong() {
        client.holdGrowth();
        ServerSlots slots = new ServerSlots(
                session, client, new ServerControls(client, 3), new WireReader(), FIRST, MOST);
        assertEquals("asks for slots=65 of=64 has=4", slots.grow(65));
        assertEquals("asks for slots=4 of=64 has=4", slots.grow(FIRST));
        assertEquals("asks for slots=7 of=64 has=4", slots.grow(2 * FIRST - 1));
        assertNull(slots.grow(2 * FIRST));
        assertEquals("asks for slots=16 of=64 has=4 again", slots.grow(16));
        client.letGrowth();
        ServerSlots few = new ServerSlots(
                session, client, new ServerControls(client, 3), new WireReader(), FIRST, FIRST + 1);
        assertNull(few.grow(FIRST + 1), "all that there may be are never too few");
        ServerSlots all = new ServerSlots(
                session, client, new ServerControls(client, 3), new WireReader(), FIRST, FIRST);
        assertEquals("asks for slots=4 of=4 has=4", all.grow(FIRST));
    }

    @Test
    void whoAsksForMoreThanItWasPromisedIsLost() {
        refused(MOST + 1);
    }

    @Test
    void whoAsksForWhatItHasIsLost() {
        refused(FIRST);
    }

    @Test
    void whoAsksTwiceIsLost() {
        client.holdGrowth();
        try {
            refused(16, 17);
        } finally {
            client.letGrowth();
        }
    }

    @Test
    void memoryThatComesAfterTheEndIsGivenBack() {
        client.holdGrowth();
        asks(16);
        session.bury();
        client.letGrowth();
        Await.until("the memory to be given back", () -> client.growths.contains("give back"));
        assertFalse(client.growths.contains("grow"));
    }
}
