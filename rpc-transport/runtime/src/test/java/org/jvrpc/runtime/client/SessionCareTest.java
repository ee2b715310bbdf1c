package org.jvrpc.runtime.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.connection.DrainingSessions;
import org.jvrpc.runtime.connection.Renewal;
import org.jvrpc.runtime.connection.SessionFactory;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.contract.CallsService;
import org.jvrpc.runtime.session.Hello;
import org.jvrpc.runtime.session.Protocol;
import org.jvrpc.runtime.session.ReadingLink;
import org.jvrpc.runtime.session.RpcHeader;

/** What an event thread does for sessions, step by step: keep-alive, renewal, and those that take no new calls. */
class SessionCareTest {

    private static final long AFTER_NS = 1_000_000_000;
    private static final long NEVER_NS = 3_600_000_000_000L;

    private final StillClient client = new StillClient();
    private final ClientSession session = client.session;
    private final SessionFactory factory = new SessionFactory(client.core.address(), client.settings);
    private final DrainingSessions draining = new DrainingSessions(client.time);

    @AfterEach
    void close() {
        client.close();
        factory.close();
    }

    // ---- keep-alive

    /** A link to another host. */
    private static final class FarLink extends ReadingLink {

        private final List<Long> looks = new ArrayList<>();
        private String failsWith;
        private RuntimeException fault;
        private boolean connected = true;
        private int disconnects;
        private InetAddress host = InetAddress.getLoopbackAddress();

        @Override
        public ByteBuffer body(int slot) {
            return ByteBuffer.allocate(StillClient.SLOT_BYTES);
        }

        @Override
        public InetAddress peerHost() {
            return host;
        }

        @Override
        public boolean poll() {
            return false;
        }

        @Override
        public void checkPeer(long nowNs) {
            looks.add(nowNs);
            if (fault != null) {
                throw fault;
            }
            if (failsWith != null) {
                fail(failsWith);
            }
        }

        @Override
        public void breakOff() {
            connected = false;
        }

        @Override
        public void disconnect() {
            disconnects++;
        }
    }

    private ClientSession far(FarLink link) {
        Hello asked = Hello.request(Protocol.CALLS, StillClient.SLOTS, StillClient.SLOT_BYTES, 1 << 20);
        return new ClientSession(client.core, link, client.bodies, asked, "far");
    }

    @Test
    void aPeerOfAnotherHostIsLookedAtFourTimesInItsIdleTime() {
        FarLink link = new FarLink();
        long fromNs = client.time.nowNs;
        long everyNs = client.settings.keepAliveNs() / 4;
        PeerChecks checks = far(link).peerChecks();
        assertEquals(everyNs - 5, checks.look(fromNs + 5));
        assertEquals(1, checks.look(fromNs + everyNs - 1));
        assertEquals(List.of(), link.looks);
        assertEquals(everyNs, checks.look(fromNs + everyNs));
        assertEquals(everyNs - 7, checks.look(fromNs + everyNs + 7));
        assertEquals(List.of(fromNs + everyNs), link.looks);
    }

    @Test
    void aPeerOfThisHostIsNotLookedAt() {
        FarLink link = new FarLink();
        link.host = null;
        assertEquals(NEVER_NS, far(link).peerChecks().look(client.time.nowNs + NEVER_NS));
        assertEquals(List.of(), link.looks);
    }

    @Test
    void aPeerThatGivesNoSignOfLifeEndsTheSession() {
        FarLink link = new FarLink();
        link.failsWith = "planted";
        ClientSession far = far(link);
        far.peerChecks().look(client.time.nowNs + NEVER_NS);
        assertTrue(far.isLost());
        assertEquals("connection to far is lost: planted", far.lost().getMessage());
        assertTrue(far.tryLock(), "the lock is free");
        far.unlock();
        assertEquals(NEVER_NS, far.peerChecks().look(client.time.nowNs + 2 * NEVER_NS));
        assertEquals(1, link.looks.size(), "a lost one is not looked at");
    }

    @Test
    void aLookThatThrowsEndsTheSession() {
        FarLink link = new FarLink();
        link.fault = new IllegalStateException("planted");
        ClientSession far = far(link);
        far.peerChecks().look(client.time.nowNs + NEVER_NS);
        assertTrue(far.isLost());
        assertFalse(link.connected);
        assertTrue(Await.join(Await.start(far::tryLock)), "the lock is free");
    }

    @Test
    void aPeerIsLookedAtByWhoHasTheSession() {
        FarLink link = new FarLink();
        ClientSession far = far(link);
        far.lock();
        CompletableFuture<Boolean> look = Await.start(() -> {
            far.peerChecks().look(client.time.nowNs + NEVER_NS);
            return true;
        });
        Await.until("the look to wait or to be over", () -> far.hasWaiters() || look.isDone());
        assertEquals(List.of(), link.looks);
        far.unlock();
        assertTrue(Await.join(look));
        assertEquals(1, link.looks.size());
    }

    // ---- renewal

    /** Has half of the slots held by calls that nobody waits for, or not. */
    private void choke(boolean choked) {
        for (int i = 0; i < StillClient.SLOTS / 2; i++) {
            if (choked) {
                session.attendance().slots().abandon();
            } else {
                session.attendance().slots().abandonedAnswered();
            }
        }
        assertEquals(choked, session.abandonment().isChoked());
    }

    private Renewal renewal() {
        client.threads.clear();
        return new Renewal(client.core, factory, client.settings);
    }

    /** Runs the attempt that was begun last; there were so many. */
    private void attempt(int count) {
        assertEquals(count, client.threads.size());
        Thread last = client.threads.get(count - 1);
        assertTrue(last.getName().startsWith("jvrpc-renewal-"), last.getName());
        last.run();
    }

    @Test
    void halfOfTheSlotsIsWhatChokes() {
        assertFalse(session.abandonment().isChoked());
        assertFalse(session.attendance().slots().abandon());
        assertFalse(session.abandonment().isChoked());
        assertTrue(session.attendance().slots().abandon(), "now it matters");
        assertTrue(session.abandonment().isChoked());
        assertFalse(session.attendance().slots().abandon(), "it mattered before");
        assertTrue(session.abandonment().isChoked());
    }

    @Test
    void aChokedSessionIsRenewedAfterAWhileAndAttemptsComeAtLongerAndLongerIntervals() {
        Renewal renewal = renewal();
        long nowNs = 5_000_000_000L;
        assertEquals(NEVER_NS, renewal.look(session, nowNs));
        choke(true);
        assertEquals(AFTER_NS, renewal.look(session, nowNs));
        assertEquals(1, renewal.look(session, nowNs + AFTER_NS - 1));
        assertEquals(0, client.threads.size());
        nowNs += AFTER_NS;
        long pauseNs = AFTER_NS;
        for (int attempts = 1; attempts <= 9; attempts++) {
            assertEquals(1_000_000, renewal.look(session, nowNs));
            assertEquals(pauseNs, renewal.look(session, nowNs), "attempt " + attempts);
            assertEquals(1, renewal.look(session, nowNs + pauseNs - 1));
            attempt(attempts); // nobody listens
            assertSame(session, client.core.session());
            nowNs += pauseNs;
            pauseNs = Math.min(2 * pauseNs, 64 * AFTER_NS);
        }
    }

    @Test
    void oneAttemptIsUnderWayAtATime() {
        Renewal renewal = renewal();
        choke(true);
        renewal.look(session, 1);
        renewal.look(session, 1 + AFTER_NS);
        assertEquals(1_000_000, renewal.look(session, 1 + 3 * AFTER_NS), "it goes on");
        attempt(1);
        renewal.look(session, 1 + 3 * AFTER_NS);
        assertEquals(2, client.threads.size());
    }

    @Test
    void aServerThatWasWellForLongEnoughIsNotLeftInPeaceForLonger() {
        for (long wellNs : new long[] {4 * AFTER_NS - 1, 4 * AFTER_NS}) {
            Renewal renewal = renewal();
            choke(true);
            renewal.look(session, 1);
            renewal.look(session, 1 + AFTER_NS);
            attempt(1);
            choke(false);
            assertEquals(NEVER_NS, renewal.look(session, 2 + AFTER_NS));
            choke(true);
            long nowNs = 1 + AFTER_NS + wellNs;
            assertEquals(AFTER_NS, renewal.look(session, nowNs - AFTER_NS));
            renewal.look(session, nowNs);
            attempt(2);
            assertEquals(wellNs < 4 * AFTER_NS ? 2 * AFTER_NS : AFTER_NS, renewal.look(session, nowNs));
            choke(false);
        }
    }

    @Test
    void whatAnotherSessionWaitedCountsForNone() {
        Renewal renewal = renewal();
        choke(true);
        renewal.look(session, 1);
        ClientSession other = client.newSession(new StillClient.Peer());
        other.attendance().slots().abandon();
        other.attendance().slots().abandon();
        assertEquals(AFTER_NS, renewal.look(other, AFTER_NS));
        assertEquals(0, client.threads.size());
    }

    @Test
    void aClientThatDoesNotConnectAgainRenewsNothing() {
        client.settings.reconnect(false);
        Renewal renewal = renewal();
        choke(true);
        assertEquals(NEVER_NS, renewal.look(session, 1));
        assertEquals(NEVER_NS, renewal.look(session, 1 + 2 * AFTER_NS));
    }

    @Test
    void newCallsGoToTheNewSession() {
        Renewal renewal = renewal();
        choke(true);
        renewal.look(session, 1);
        renewal.look(session, 1 + AFTER_NS);
        client.serve(true);
        client.device.did();
        attempt(1);
        ClientSession fresh = client.core.session();
        assertNotSame(session, fresh);
        List<String> did = client.device.did();
        assertFalse(did.contains("close qp"), "the new one stays");
        assertFalse(session.isUsable());
        assertTrue(fresh.isUsable());
        assertFalse(client.core.draining().isEmpty());
        assertTrue(did.contains("wakeup"), "the event thread looks after the other one");
    }

    @Test
    void aSessionThatIsReplacedMeanwhileIsNotRenewed() {
        Renewal renewal = renewal();
        choke(true);
        renewal.look(session, 1);
        renewal.look(session, 1 + AFTER_NS);
        client.serve(true);
        ClientSession other = client.newSession(new StillClient.Peer());
        assertTrue(client.core.replace(session, other));
        client.device.did();
        attempt(1);
        assertSame(other, client.core.session());
        assertTrue(client.device.did().contains("close qp"), "what was made is given back");
    }

    // ---- those that take no new calls

    @Test
    void aSessionGoesWhenItsLastCallHasEnded() {
        assertTrue(draining.isEmpty());
        ClientSlot slot = client.write(CallsService.ECHO, null, 1);
        CompletableFuture<WhatCame> call = slot.invokeAsync((in, thrown) -> new WhatCame(in.remaining()));
        draining.add(session);
        session.drain();
        assertTrue(draining.hasUnattended());
        draining.lookAfter(factory);
        assertFalse(draining.isEmpty());
        assertFalse(client.peer.isClosed());
        client.peer.answers(slot.callId(), Status.OK, new byte[5]);
        draining.lookAfter(factory);
        client.core.events().publishWaiting();
        assertEquals(new WhatCame(5), StillClient.outcome(call));
        assertTrue(draining.isEmpty());
        assertFalse(draining.hasUnattended());
        assertTrue(client.peer.isClosed());
        assertFalse(client.peer.isConnected());
        assertTrue(client.bodies.isWhole());
    }

    private record WhatCame(int bytes) {
    }

    @Test
    void itsCallsKeepTheirDeadlines() {
        ClientSlot slot = client.write(CallsService.ECHO, null, 1);
        CompletableFuture<WhatCame> call = slot.invokeAsync((in, thrown) -> new WhatCame(in.remaining()));
        draining.add(session);
        client.time.nowNs += StillClient.DEADLINE_NS + 1;
        draining.lookAfter(factory);
        assertTrue(call.isCompletedExceptionally());
        assertFalse(draining.hasUnattended());
    }

    @Test
    void aSessionWhosePeerIsGoneEndsItsCalls() {
        ClientSlot slot = client.write(CallsService.ECHO, null, 1);
        CompletableFuture<WhatCame> call = slot.invokeAsync((in, thrown) -> new WhatCame(in.remaining()));
        draining.add(session);
        client.peer.breakOff();
        draining.lookAfter(factory);
        client.core.events().publishWaiting();
        assertTrue(call.isCompletedExceptionally());
        draining.lookAfter(factory);
        assertTrue(draining.isEmpty());
        assertTrue(client.peer.isClosed());
    }

    @Test
    void oneSessionDoesNotKeepTheThreadFromOthers() {
        for (int i = 0; i < 2000; i++) {
            client.peer.controls(RpcHeader.CREDIT, 0);
        }
        ClientSlot claimed = session.tryClaim();
        draining.add(session);
        draining.lookAfter(factory);
        int left = 0;
        while (client.peer.poll()) {
            left++;
        }
        assertEquals(2000 - 64 * 16, left, "64 turns of 16 messages");
        claimed.set(SlotState.FREE);
    }

    @Test
    void aCallerThatDoesNotLeaveItsSlotIsNotWaitedForWithoutEnd() {
        ClientSlot claimed = session.tryClaim();
        draining.add(session);
        long fromNs = client.time.nowNs;
        draining.close(factory);
        assertEquals(500_050_000, client.time.nowNs - fromNs);
        assertTrue(draining.isEmpty());
        assertFalse(client.peer.isConnected());
        assertFalse(client.peer.isClosed(), "its memory is still written to");
        assertEquals(SlotState.CLAIMED, claimed.state());
    }

    @Test
    void theEndOfTheClientIsTheEndOfThoseThatDrain() {
        ClientSlot slot = client.write(CallsService.ECHO, null, 1);
        CompletableFuture<WhatCame> call = slot.invokeAsync((in, thrown) -> new WhatCame(in.remaining()));
        draining.add(session);
        draining.close(factory);
        client.core.events().publishWaiting();
        assertTrue(call.isCompletedExceptionally());
        assertTrue(client.peer.isClosed());
    }

    @Test
    void aSessionThatWentIsLostToWhoeverStillPollsIt() {
        draining.add(session);
        draining.lookAfter(factory);
        assertTrue(draining.isEmpty());
        assertTrue(session.isLost());
    }

    @Test
    void theEndOfTheClientWaitsForOneWayCallsOfThoseThatDrain() {
        client.peer.holdsOneWay = true;
        client.write(CallsService.TELL, null, 1).send();
        draining.add(session);
        List<Boolean> connected = new ArrayList<>();
        client.peer.whenLooked = () -> {
            connected.add(client.peer.isConnected());
            client.peer.holdsOneWay = false;
        };
        draining.close(factory);
        assertTrue(connected.get(0), "it was broken off at once");
        assertTrue(client.peer.isClosed());
    }

    @Test
    void theConnectionOfACallerThatDoesNotLeaveItsSlotEnds() {
        FarLink link = new FarLink();
        ClientSession far = far(link);
        far.tryClaim();
        draining.add(far);
        draining.close(factory);
        assertEquals(1, link.disconnects);
    }
}
