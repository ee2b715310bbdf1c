package org.jvrpc.router.control.zookeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.jvrpc.router.Refusal;
import org.jvrpc.router.RefusedException;
import org.jvrpc.router.control.Codec;
import org.jvrpc.router.control.Edits;
import org.jvrpc.router.control.OlderMap;
import org.jvrpc.router.map.Home;
import org.jvrpc.testing.Waits;

/** The ensemble goes, comes back, forgets; sessions end; two routers have one name. */
class OutageTest {

    private static final int PASSWORD_BYTES = 16;
    private static final long SECRET = 0xB3415C00L; // ZooKeeperServer.superSecret
    private static final int SHORT_MS = 1_000;
    private static final long LIMIT_MS = Waits.limitNs() / 1_000_000;

    private static Plane plane;

    @BeforeAll
    static void start() throws Exception {
        plane = new Plane();
    }

    @AfterAll
    static void end() throws IOException {
        plane.close();
    }

    /** Has the ensemble end a session: whoever takes it over by its id and password may close it. */
    private static void expire(Ensemble ensemble, long session) throws Exception {
        byte[] password = new byte[PASSWORD_BYTES];
        new Random(session ^ SECRET).nextBytes(password);
        CountDownLatch connected = new CountDownLatch(1);
        ZooKeeper thief = new ZooKeeper(ensemble.servers(), ensemble.sessionMs(), event -> {
            if (event.getState() == KeeperState.SyncConnected) {
                connected.countDown();
            }
        }, session, password);
        boolean taken = connected.await(Waits.limitNs(), TimeUnit.NANOSECONDS);
        thief.close();
        assertTrue(taken, "the session cannot be taken over");
    }

    private static long owner(ZooKeeper zooKeeper, Ensemble ensemble, String host) {
        try {
            Stat stat = zooKeeper.exists(ensemble.layout().live(host), false);
            return stat == null ? 0 : stat.getEphemeralOwner();
        } catch (KeeperException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aHostWhoseSessionExpiredIsThereAgainAndSeesWhatChanged() throws Exception {
        Ensemble ensemble = plane.ensemble();
        Ensemble.Client client = Plane.raw(ensemble);
        try (ZooKeeperView view = Plane.open(ensemble, "h1"); ZooKeeperStore store = new ZooKeeperStore(ensemble)) {
            Home home = view.claim(Plane.REDS, Plane.RED, 0);
            long session = owner(client.zooKeeper(), ensemble, "h1");
            expire(ensemble, session);
            store.change("revoke", Edits.revoke(Plane.BLUE, true));
            Waits.until("another session", () -> owner(client.zooKeeper(), ensemble, "h1") != session
                    && owner(client.zooKeeper(), ensemble, "h1") != 0);
            Waits.until("the change", () -> view.tenant(Plane.BLUE).revoked() && view.trouble() == null,
                    view::trouble);
            assertEquals(home, view.home(Plane.REDS));
        }
        client.close();
    }

    @Test
    void whatIsKnownStaysWhileTheEnsembleIsGoneAndGrowsOld() throws Exception {
        try (Plane own = new Plane()) {
            Ensemble ensemble = own.ensemble();
            try (ZooKeeperView view = Plane.open(ensemble, "h1")) {
                own.server.stop();
                Waits.until("the end to be seen", () -> view.trouble() != null);
                assertTrue(view.trouble().contains(ensemble.servers()), view.trouble());
                long confirmedNs = view.confirmedNs();
                assertEquals(70001, view.tenant(Plane.RED).user());
                assertEquals(Refusal.POLICY_OLD, assertThrows(RefusedException.class,
                        () -> view.claim(Plane.REDS, Plane.RED, 0)).refusal());
                assertEquals(confirmedNs, view.confirmedNs());
                own.server.restart();
                Waits.until("the ensemble", () -> view.trouble() == null, view::trouble);
                assertTrue(view.confirmedNs() > confirmedNs);
                try (ZooKeeperStore store = new ZooKeeperStore(ensemble)) {
                    store.change("revoke", Edits.revoke(Plane.RED, true));
                }
                Waits.until("the change", () -> view.tenant(Plane.RED).revoked(), view::trouble);
                assertEquals(1, view.claim(Plane.BLUES, Plane.BLUE, 0).epoch());
            }
        }
    }

    @Test
    void ofTwoRoutersOfAHostTheYoungerStops() throws Exception {
        Ensemble ensemble = plane.ensemble(SHORT_MS);
        try (ZooKeeperView first = Plane.open(ensemble, "h1")) {
            IOException e = assertThrows(IOException.class, () -> ZooKeeperView.open(ensemble, Plane.router("h1", 2),
                    Plane.BOUND_NS, Plane.OPEN_MS).close());
            assertTrue(e.getMessage().contains("another router is there as " + ensemble.layout().live("h1")),
                    e.getMessage());
            assertFalse(first.ended().isDone());
        }
    }

    /** A client that can go without a word, as the process of one that is killed. */
    @SuppressWarnings("try") // its close may be interrupted
    private static final class Killable extends ZooKeeper {

        Killable(Ensemble ensemble) throws IOException {
            super(ensemble.servers(), ensemble.sessionMs(), event -> { });
        }

        void kill() {
            cnxn.disconnect();
        }
    }

    @Test
    void aRouterThatFollowsOneThatWasKilledWaitsForItsSession() throws Exception {
        Ensemble ensemble = plane.ensemble(SHORT_MS);
        Killable killed = new Killable(ensemble);
        Waits.until("a connection", () -> killed.getState() == ZooKeeper.States.CONNECTED);
        killed.create(ensemble.layout().live("h1"), Codec.json(Plane.router("h1", 7))
                .getBytes(StandardCharsets.US_ASCII), Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);
        killed.kill();
        try (ZooKeeperView view = Plane.open(ensemble, "h1")) {
            assertEquals(1, view.router("h1").incarnation());
        }
    }

    @Test
    void anOlderMapIsRefusedAsAWholeUntilAnOperatorWantsIt() throws Exception {
        Ensemble ensemble = plane.ensemble();
        Ensemble.Client client = Plane.raw(ensemble);
        try (ZooKeeperView view = Plane.open(ensemble, null)) {
            assertEquals("no older map is refused, known is epoch=3",
                    assertThrows(IOException.class, () -> view.acceptOlder(LIMIT_MS)).getMessage());
            String epoch = ensemble.layout().epoch();
            client.zooKeeper().delete(epoch, -1);
            client.zooKeeper().create(epoch, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
            Waits.until("it to be refused", () -> view.trouble() != null && view.trouble().contains("epoch=1 "));
            assertTrue(view.trouble().contains("epoch=1 is older than that of what is known, epoch=3"),
                    view.trouble());
            Plane.write(ensemble, "/tenants/red", "{\"name\": \"red\", \"user\": 1, \"addresses\": [\"10.77.0.5\"]}");
            long confirmedNs = view.confirmedNs();
            assertEquals(70001, view.tenant(Plane.RED).user());
            assertEquals(new OlderMap.Accepted(3, 1), view.acceptOlder(LIMIT_MS));
            Waits.until("the older one", () -> view.trouble() == null && view.epoch() == 1, view::trouble);
            assertEquals(1, view.tenant(Plane.RED).user());
            assertTrue(view.confirmedNs() > confirmedNs);
        }
        client.close();
    }

    @Test
    void anAddressWhoseEpochGoesBackIsAnOlderMap() throws Exception {
        Ensemble ensemble = plane.ensemble();
        Ensemble.Client client = Plane.raw(ensemble);
        try (ZooKeeperView view = Plane.open(ensemble, "h1")) {
            view.claim(Plane.REDS, Plane.RED, 0);
            Waits.until("the claim to be read", () -> view.epochRead(Plane.REDS) == 1);
            client.zooKeeper().delete(ensemble.layout().home("10.77.0.5"), -1);
            Waits.until("it to be refused", () -> view.trouble() != null);
            assertTrue(view.trouble().contains("address=10.77.0.5 has epoch=none, older than that of what is known, "
                    + "epoch=1"), view.trouble());
            assertEquals("h1", view.home(Plane.REDS).host());
            client.zooKeeper().create(ensemble.layout().home("10.77.0.5"), new byte[0], Ids.OPEN_ACL_UNSAFE,
                    CreateMode.PERSISTENT);
            assertEquals(new OlderMap.Accepted(3, 3), view.acceptOlder(LIMIT_MS));
            assertEquals(new Home(Plane.REDS, Plane.RED, "", 0, Home.State.GONE), view.home(Plane.REDS));
            assertEquals(1, view.claim(Plane.REDS, Plane.RED, 0).epoch());
        }
        client.close();
    }

    @Test
    void anOlderMapThatCannotBeReadIsNotWantedLater() throws Exception {
        try (Plane own = new Plane()) {
            Ensemble ensemble = own.ensemble();
            try (ZooKeeperView view = Plane.open(ensemble, null)) {
                Plane.write(ensemble, "/homes/10.77.0.5", "");
                Waits.until("it to be read", () -> view.epochRead(Plane.REDS) == 1);
                Ensemble.Client client = Plane.raw(ensemble);
                client.zooKeeper().delete(ensemble.layout().home("10.77.0.5"), -1);
                client.close();
                Waits.until("it to be refused", () -> view.trouble() != null);
                own.server.stop();
                Waits.until("the end to be seen", () -> view.trouble().contains(ensemble.servers()), view::trouble);
                assertEquals("the older map was not read within ms=1",
                        assertThrows(IOException.class, () -> view.acceptOlder(1)).getMessage());
                own.server.restart();
                Waits.until("it to be refused again", () -> view.trouble() != null
                        && view.trouble().contains("address=10.77.0.5 has epoch=none"), view::trouble);
            }
        }
    }

    @Test
    void aClusterThatIsNotThereAndAHostThatIsNotKnownAreSaid() throws Exception {
        Ensemble none = new Ensemble(plane.server.getConnectString(), "none", null, null, SHORT_MS);
        IOException e = assertThrows(IOException.class, () -> ZooKeeperView.open(none, null, Plane.BOUND_NS,
                Plane.OPEN_MS));
        assertTrue(e.getMessage().contains("/jvrpc-router/none/epoch is missing: jvrpc router ctl init"),
                e.getMessage());
        Ensemble ensemble = plane.ensemble();
        e = assertThrows(IOException.class, () -> ZooKeeperView.open(ensemble, Plane.router("h9", 1), Plane.BOUND_NS,
                Plane.OPEN_MS));
        assertTrue(e.getMessage().contains("/hosts/h9/live cannot be made"), e.getMessage());
        Waits.until("the views' threads to end", () -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.isAlive() && thread.getName().contains("jvrpc-router-view")));
    }
}
