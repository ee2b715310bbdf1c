package org.jvrpc.runtime.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.connection.ClientCore;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.contract.CallsService;
import org.jvrpc.runtime.service.MethodOffer;
import org.jvrpc.runtime.session.Settings;
import org.jvrpc.runtime.verbs.StillDevices;

/** The session of a client, step by step: lost, replaced, made again, and how the client ends. */
class ClientCoreTest {

    private static final long MS = 1_000_000;
    private static final String NO_CONNECTION = "no connection to still://server";

    private final StillClient client = new StillClient();
    private final ClientCore core = client.core;
    private final SessionOwner owner = core;

    @AfterEach
    void close() {
        Thread.interrupted();
        client.close();
    }

    private String refused(Status status, boolean wait, long forNs) {
        RpcException e = assertThrows(RpcException.class, () -> core.awaitSession(wait, client.time.nowNs + forNs));
        assertEquals(status, e.status());
        return e.getMessage();
    }

    private long repair() {
        return owner.repair(null, client.time.nowNs);
    }

    // ---- connecting

    @Test
    void whatCannotBeIsRefusedBeforeADeviceIsOpened() {
        Settings settings = new Settings();
        settings.slots(4096);
        settings.slotBytes(1 << 20);
        client.device.did();
        assertThrows(IllegalArgumentException.class, () -> ClientCore.connect("still://server", settings, List.of()));
        assertEquals(List.of(), client.device.did());
    }

    @Test
    void whoeverFindsNoServerLeavesNoDevice() {
        client.device.did();
        RpcException e = assertThrows(RpcException.class,
                () -> ClientCore.connect("still://server", client.settings, List.of()));
        assertEquals(Status.UNAVAILABLE, e.status());
        List<String> did = client.device.did();
        assertEquals("close device", did.get(did.size() - 1));
    }

    @Test
    void itIsConnectedWhileItsSessionTakesCalls() {
        assertTrue(core.isConnected());
        client.session.drain();
        assertFalse(core.isConnected());
        owner.lost(client.session);
        assertFalse(core.isConnected());
    }

    @Test
    void itKnowsWhatIsWrongWithItsDevice() {
        client.device.trouble = "planted";
        client.session.end();
        assertEquals("connection to still is lost: peer is gone; planted", client.session.lost().getMessage());
    }

    // ---- a session for a call

    @Test
    void aCallGetsTheSessionThatThereIs() {
        assertSame(client.session, core.awaitSession(false, client.time.nowNs));
    }

    @Test
    void aCallThatDoesNotWaitIsToldWhyThereIsNone() {
        client.session.end();
        assertEquals(NO_CONNECTION, refused(Status.UNAVAILABLE, false, 1000 * MS));
        repair();
        assertEquals(NO_CONNECTION + ": connect: nobody is there", refused(Status.UNAVAILABLE, false, 1000 * MS));
        assertEquals(NO_CONNECTION + ": connect: nobody is there", refused(Status.UNAVAILABLE, true, MS - 1),
                "less than a millisecond is not waited for");
    }

    @Test
    void aSessionThatTakesNoCallsIsNone() {
        client.session.drain();
        assertEquals(NO_CONNECTION, refused(Status.UNAVAILABLE, false, 1000 * MS));
    }

    @Test
    void aCallThatIsInterruptedWaitsNoMore() {
        client.session.end();
        Thread.currentThread().interrupt();
        assertEquals("interrupted while waiting for still://server", refused(Status.CANCELLED, true, 1000 * MS));
        assertTrue(Thread.interrupted());
    }

    @Test
    void aCallThatWaitsGetsTheNextSession() {
        client.session.end();
        AtomicReference<Thread> waiter = new AtomicReference<>();
        CompletableFuture<ClientSession> next = Await.start(() -> {
            waiter.set(Thread.currentThread());
            return core.awaitSession(true, client.time.nowNs + 1000 * MS);
        });
        Await.until("the call to wait",
                () -> waiter.get() != null && waiter.get().getState() == Thread.State.TIMED_WAITING);
        client.serve(true);
        assertEquals(0, repair());
        assertSame(core.session(), Await.join(next));
        assertNotNull(core.session());
    }

    @Test
    void aClosedClientSaysSo() {
        core.close();
        String closed = "client is closed, address=still://server";
        assertEquals(closed, refused(Status.UNAVAILABLE, true, 1000 * MS));
        client.device.lost = true;
        assertEquals(closed + ": its device is gone", refused(Status.UNAVAILABLE, true, 1000 * MS));
    }

    // ---- other sessions

    @Test
    void theLossOfAnotherSessionIsNoLoss() {
        owner.lookAfterDraining(); // the session that the client was made with goes
        owner.lookAfterDraining();
        owner.lost(client.newSession(new StillClient.Peer()));
        assertSame(client.session, core.session());
        assertTrue(core.draining().isEmpty());
    }

    @Test
    void aSessionIsReplacedOnce() {
        ClientSession fresh = client.newSession(new StillClient.Peer());
        client.wakes();
        assertTrue(core.replace(client.session, fresh));
        assertEquals(1, client.wakes());
        assertFalse(core.replace(client.session, client.newSession(new StillClient.Peer())), "it is not used any more");
        assertSame(fresh, core.session());
    }

    @Test
    void attemptsToConnectComeAtLongerAndLongerIntervalsAndBeginAnew() {
        client.session.end();
        owner.lookAfterDraining();
        owner.lookAfterDraining();
        assertTrue(core.draining().isEmpty());
        assertEquals(MS, repair());
        assertEquals(MS, repair(), "not yet");
        client.time.nowNs += MS;
        assertEquals(2 * MS, repair());
        client.time.nowNs += 2 * MS;
        client.serve(true);
        assertEquals(0, repair());
        ClientSession fresh = core.session();
        assertTrue(fresh.isUsable());
        assertEquals(0, repair(), "there is one");
        assertSame(fresh, core.session());
        client.serve(false);
        owner.lost(fresh);
        assertEquals(MS, repair(), "at once, and as at first");
    }

    @Test
    void theIdleTimeOfAConnectionIsThatOfItsClient() {
        client.session.end();
        client.serve(true);
        client.device.peerHost = InetAddress.getLoopbackAddress();
        repair();
        PeerChecks checks = core.session().peerChecks();
        checks.look(client.time.nowNs + client.settings.keepAliveNs());
        assertEquals(0, client.device.pings());
        checks.look(client.time.nowNs + 2 * client.settings.keepAliveNs());
        assertEquals(1, client.device.pings());
    }

    private static void givenUp(List<String> did) {
        assertEquals(List.of("disconnect", "close qp", "close receive", "close send", "close memory", "close domain"),
                did.subList(did.indexOf("disconnect"), did.size()));
    }

    @Test
    void aConnectionOfWhichNoSessionComesIsGivenUp() {
        client.session.end();
        owner.lookAfterDraining();
        client.serve(true);
        client.device.whenHostAsked = () -> {
            throw new IllegalStateException("planted");
        };
        client.device.did();
        assertThrows(IllegalStateException.class, this::repair);
        givenUp(client.device.did());
    }

    @Test
    void sessionsThatDrainAreLookedAfterBetweenAttempts() {
        client.session.tryClaim(); // whose caller writes its arguments
        client.session.end();
        for (int i = 0; i < 5; i++) {
            repair();
            client.time.nowNs += 50 * MS;
        }
        repair();
        assertEquals(MS, repair());
    }

    @Test
    void aClientWhoseDeviceIsGoneCloses() {
        client.device.lost = true;
        assertEquals(0, repair());
        assertFalse(core.isConnected());
        assertTrue(client.session.isLost());
    }

    // ---- the end

    @Test
    void itClosesAllThatItHas() {
        MethodOffer[] offers = {};
        AtomicBoolean made = new AtomicBoolean();
        owner.allocate(() -> made.set(true));
        Await.until("memory", made::get);
        assertNotNull(core.offloads().lookups(offers, 1));
        CompletableFuture<Integer> call = client.write(CallsService.ECHO, null, 1)
                .invokeAsync((in, thrown) -> in.remaining());
        client.wakes();
        core.close();
        core.events().publishWaiting();
        assertTrue(call.isCompletedExceptionally());
        assertNull(core.session());
        assertTrue(client.session.isLost());
        assertTrue(client.peer.isClosed());
        assertNull(core.offloads().lookups(offers, 1));
        assertThrows(RejectedExecutionException.class, () -> owner.allocate(() -> { }));
        assertEquals(1, client.device.did().stream().filter("close device"::equals).count());
        core.close();
        assertEquals(List.of(), client.device.did(), "it is closed once");
    }

    /** Waits until the thread that closes waits for this one. */
    private static void untilWaitedFor(Thread closing) {
        Await.until("somebody to wait for this thread", () -> closing.getState() == Thread.State.TIMED_WAITING);
    }

    @Test
    void itWaitsForItsEventThread() {
        Thread closing = Thread.currentThread();
        CompletableFuture<Void> events = client.beginOnEventThread(() -> untilWaitedFor(closing));
        core.close();
        assertTrue(events.isDone());
    }

    /** Has a session be renewed by a thread that does something in the place of that. */
    private CompletableFuture<Void> renew(Executable what) {
        for (int i = 0; i < StillClient.SLOTS / 2; i++) { // as many calls as choke a session
            client.write(CallsService.ECHO, null, 1).invokeAsync((in, thrown) -> in.remaining()).cancel(true);
        }
        long pauseNs = owner.renew(client.session, client.time.nowNs);
        owner.renew(client.session, client.time.nowNs + pauseNs);
        return client.beginOn("jvrpc-renewal-server", what);
    }

    @Test
    void itWaitsForASessionThatIsBeingRenewed() {
        Thread closing = Thread.currentThread();
        CompletableFuture<Void> renewal = renew(() -> untilWaitedFor(closing));
        core.close();
        assertTrue(renewal.isDone());
    }

    @Test
    void whoeverIsInterruptedWhileItWaitsForThatStaysSo() {
        CountDownLatch gate = new CountDownLatch(1);
        CompletableFuture<Void> renewal = renew(() -> Await.latch("the test", gate));
        Thread.currentThread().interrupt();
        core.close();
        assertTrue(Thread.interrupted());
        gate.countDown();
        Await.join(renewal);
    }

    @Test
    void callsInFlightEndBeforeCallersOfOtherSessionsAreWaitedFor() {
        ClientSession leaving = client.newSession(new StillClient.Peer());
        leaving.tryClaim(); // whose caller writes its arguments
        core.draining().add(leaving);
        List<Boolean> lost = new ArrayList<>();
        client.time.whenParked = () -> lost.add(client.session.isLost());
        core.close();
        assertTrue(!lost.isEmpty() && !lost.contains(false), lost::toString);
    }

    private static long ownerOfWhatStops(Thread thread) {
        ThreadInfo info = ManagementFactory.getThreadMXBean().getThreadInfo(thread.getId());
        return info == null ? -1 : info.getLockOwnerId();
    }

    /** Has a thread stand where it adds a session to those that drain, while another one closes the client. */
    private void closeWhile(Runnable adding) {
        CompletableFuture<Integer> call = client.write(CallsService.ECHO, null, 1)
                .invokeAsync((in, thrown) -> in.remaining());
        Thread adds = new Thread(adding, "adds");
        Thread closes = new Thread(core::close, "closes");
        synchronized (core.draining()) {
            adds.start();
            Await.until("a session to be added", () -> ownerOfWhatStops(adds) == Thread.currentThread().getId());
            closes.start();
            Await.until("the closer to wait for that", () -> ownerOfWhatStops(closes) == adds.getId());
        }
        Await.until("both to end", () -> !adds.isAlive() && !closes.isAlive());
        core.events().publishWaiting();
        assertTrue(call.isCompletedExceptionally());
    }

    @Test
    void aSessionThatTakesNoMoreCallsAsTheClientClosesIsEnded() {
        closeWhile(client.session::goAway);
    }

    @Test
    void aSessionThatIsReplacedAsTheClientClosesIsEnded() {
        ClientSession fresh = client.newSession(new StillClient.Peer());
        closeWhile(() -> core.replace(client.session, fresh));
    }

    @Test
    void aSessionThatIsMadeWhileTheClientClosesIsGivenUp() {
        client.session.end();
        client.device.connecting = (name, arguments) -> {
            core.close();
            client.device.did();
            return client.device.connection();
        };
        assertEquals(0, repair());
        assertNull(core.session());
        givenUp(client.device.did());
    }

    @Test
    void aClientThatDoesNotConnectAgainSaysSo() {
        client.serve(true);
        StillDevices.next(client.device);
        client.settings.reconnect(false);
        try (ClientCore other = ClientCore.connect("still://server", client.settings, List.of())) {
            other.session().end();
            assertEquals(NO_CONNECTION + ", and the client does not connect again",
                    assertThrows(RpcException.class, () -> other.awaitSession(false, 0)).getMessage());
        }
    }
}
