package org.jvrpc.router.control.zookeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.jvrpc.router.Refusal;
import org.jvrpc.router.RefusedException;
import org.jvrpc.router.VirtualAddress;
import org.jvrpc.router.control.Edits;
import org.jvrpc.router.map.ControlView;
import org.jvrpc.router.map.Home;
import org.jvrpc.router.map.RouterRecord;
import org.jvrpc.router.map.Rule;
import org.jvrpc.router.map.TenantRecord;
import org.jvrpc.testing.Waits;

class ZooKeeperViewTest {

    private static final VirtualAddress OTHER = new VirtualAddress("10.77.0.9");

    private static Plane plane;

    @BeforeAll
    static void start() throws Exception {
        plane = new Plane();
    }

    @AfterAll
    static void end() throws IOException {
        plane.close();
    }

    private record Told(List<String> all) implements ControlView.Changes {

        @Override
        public void tenant(TenantRecord now) {
            all.add(now.id() + " " + now.revoked());
        }

        @Override
        public void home(Home before, Home now) {
            all.add(now.address() + " " + before.host() + " " + before.epoch() + " to " + now.host() + " "
                    + now.epoch() + " " + now.state());
        }

        @Override
        public void rules() {
            all.add("rules");
        }

        @Override
        public void router(RouterRecord now, boolean there) {
            all.add("router " + now.host() + " " + there);
        }
    }

    private static void refused(Refusal refusal, Executable what) {
        assertEquals(refusal, assertThrows(RefusedException.class, what).refusal());
    }

    @Test
    void whatAnAdministratorWritesIsReadAndToldOf() throws Exception {
        Ensemble ensemble = plane.ensemble();
        List<String> told = new CopyOnWriteArrayList<>();
        try (ZooKeeperView view = Plane.open(ensemble, null); ZooKeeperStore store = new ZooKeeperStore(ensemble)) {
            assertEquals(3, view.epoch());
            assertEquals(70001, view.tenant(Plane.RED).user());
            assertEquals(new Home(Plane.REDS, Plane.RED, "", 0, Home.State.GONE), view.home(Plane.REDS));
            view.listen(new Told(told));
            store.change("policy", Edits.addRule(new Rule(Plane.RED, Plane.BLUE, 7000, 7009, true), -1));
            store.change("revoke", Edits.revoke(Plane.BLUE, true));
            Waits.until("both changes", () -> view.epoch() == 5, view::trouble);
            assertEquals(List.of(new Rule(Plane.RED, Plane.BLUE, 7000, 7009, true)), view.rules());
            Waits.until("both to be told", () -> told.size() == 2, () -> told);
            assertTrue(told.contains("rules") && told.contains("blue true"), told::toString);
            assertEquals(5, view.tenant(Plane.BLUE).epoch());
            assertNull(view.trouble());
        }
    }

    @Test
    void aHostIsThereWhileItsViewIs() throws Exception {
        Ensemble ensemble = plane.ensemble();
        List<String> told = new CopyOnWriteArrayList<>();
        try (ZooKeeperView one = Plane.open(ensemble, "h1")) {
            one.listen(new Told(told));
            try (ZooKeeperView two = Plane.open(ensemble, "h2")) {
                Waits.until("h2", () -> one.router("h2") != null);
                assertEquals("h2:4900", one.router("h2").control());
                two.announce(new RouterRecord("h2", "h2:4901", "roce://10.78.0.2:4800", null, 1, true, 1));
                Waits.until("h2 to drain", () -> one.router("h2").draining());
            }
            Waits.until("h2 to be gone", () -> one.router("h2") == null);
            Waits.until("all to be told", () -> told.size() == 3, () -> told);
            assertEquals(List.of("router h2 true", "router h2 true", "router h2 false"), told);
        }
    }

    @Test
    void aClaimIsFencedByTheAddressesEpoch() throws Exception {
        Ensemble ensemble = plane.ensemble();
        List<String> told = new CopyOnWriteArrayList<>();
        try (ZooKeeperView one = Plane.open(ensemble, "h1"); ZooKeeperView two = Plane.open(ensemble, "h2")) {
            two.listen(new Told(told));
            Home home = one.claim(Plane.REDS, Plane.RED, 0);
            assertEquals(new Home(Plane.REDS, Plane.RED, "h1", 1, Home.State.SERVING), home);
            assertEquals(home, one.home(Plane.REDS));
            refused(Refusal.STALE_EPOCH, () -> one.claim(Plane.REDS, Plane.RED, 0));
            refused(Refusal.NOT_YOURS, () -> one.claim(Plane.REDS, Plane.BLUE, 1));
            Waits.until("h2 to see it", () -> two.home(Plane.REDS).epoch() == 1);
            refused(Refusal.MOVED, () -> two.claim(Plane.REDS, Plane.RED, 1));
            one.release(home);
            assertEquals(Home.State.GONE, one.home(Plane.REDS).state());
            Waits.until("h2 to see it gone", () -> two.home(Plane.REDS).epoch() == 2);
            assertEquals(3, two.claim(Plane.REDS, Plane.RED, 2).epoch());
            one.release(home); // of before: it lets nothing go
            Waits.until("h1 to see it", () -> one.home(Plane.REDS).host().equals("h2"));
            Waits.until("all to be told", () -> told.contains("10.77.0.5 h1 2 to h2 3 SERVING"), () -> told);
            assertTrue(told.contains("10.77.0.5  0 to h1 1 SERVING"), told::toString);
            assertFalse(told.contains("10.77.0.5 h2 3 to h1 4 GONE"), told::toString);
        }
    }

    @Test
    void ofTwoClaimsAtOnceOneIsStale() throws Exception {
        Ensemble ensemble = plane.ensemble();
        try (ZooKeeperView one = Plane.open(ensemble, "h1"); ZooKeeperView two = Plane.open(ensemble, "h2")) {
            Claiming late = new Claiming(ensemble.layout(), "h2", new Holders("h2", Plane.BOUND_NS));
            Ensemble.Client client = Plane.raw(ensemble);
            Home nowhere = two.home(Plane.REDS);
            one.claim(Plane.REDS, Plane.RED, 0);
            try (ZooKeeperStore store = new ZooKeeperStore(ensemble)) {
                var state = store.read();
                refused(Refusal.STALE_EPOCH, () -> late.claim(client.zooKeeper(), state, nowhere, Plane.REDS,
                        Plane.RED, 0));
            }
            client.close();
        }
    }

    @Test
    void aClaimOfWhatWasLetGoAMomentAgoIsStaleAndNotRefused() throws Exception {
        Ensemble ensemble = plane.ensemble();
        try (ZooKeeperView one = Plane.open(ensemble, "h1"); ZooKeeperStore store = new ZooKeeperStore(ensemble)) {
            Home home = one.claim(Plane.REDS, Plane.RED, 0);
            var known = store.read();
            one.release(home);
            Claiming two = new Claiming(ensemble.layout(), "h2", new Holders("h2", Plane.BOUND_NS));
            Ensemble.Client client = Plane.raw(ensemble);
            refused(Refusal.STALE_EPOCH, () -> two.claim(client.zooKeeper(), known, home, Plane.REDS, Plane.RED, 1));
            client.close();
        }
    }

    @Test
    void changesOfTwoAdministratorsAtOnceAreBothMade() throws Exception {
        Ensemble ensemble = plane.ensemble();
        List<CompletableFuture<Void>> both = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            int first = 100 * i;
            both.add(CompletableFuture.runAsync(() -> {
                try (ZooKeeperStore store = new ZooKeeperStore(ensemble)) {
                    for (int port = first + 1; port <= first + 5; port++) {
                        Rule rule = new Rule(Plane.RED, Plane.BLUE, port, port, true);
                        store.change("policy", Edits.addRule(rule, -1));
                    }
                } catch (IOException | InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }));
        }
        both.forEach(CompletableFuture::join);
        try (ZooKeeperStore store = new ZooKeeperStore(ensemble)) {
            assertEquals(10, store.read().rules().stream().distinct().count());
            assertEquals(13, store.read().epoch());
            assertEquals(10, store.audit().stream().filter(line -> line.contains("policy")).count());
        }
    }

    @Test
    void anAddressThatIsToMoveIsFreeOnceItsHostHasLetGoOfIt() throws Exception {
        Ensemble ensemble = plane.ensemble();
        try (ZooKeeperView one = ZooKeeperView.open(ensemble, Plane.router("h1", 1), Long.MAX_VALUE / 4, Plane.OPEN_MS);
                ZooKeeperView two = ZooKeeperView.open(ensemble, Plane.router("h2", 2), Long.MAX_VALUE / 4,
                        Plane.OPEN_MS); ZooKeeperStore store = new ZooKeeperStore(ensemble)) {
            one.claim(Plane.REDS, Plane.RED, 0);
            store.change("move", Edits.move(Plane.REDS));
            Waits.until("both to see it", () -> one.home(Plane.REDS).epoch() == 2 && two.home(Plane.REDS).epoch() == 2);
            refused(Refusal.MOVED, () -> two.claim(Plane.REDS, Plane.RED, 2));
            one.release(one.home(Plane.REDS));
            refused(Refusal.MOVED, () -> one.claim(Plane.REDS, Plane.RED, 3)); // it does not come back
            Waits.until("h2 to see it gone", () -> two.home(Plane.REDS).epoch() == 3);
            assertEquals("h2", two.claim(Plane.REDS, Plane.RED, 3).host());
        }
    }

    @Test
    void anAddressOfAHostThatIsAwayIsFreeAfterTheBoundAlone() throws Exception {
        Ensemble ensemble = plane.ensemble();
        try (ZooKeeperView two = Plane.open(ensemble, "h2")) {
            try (ZooKeeperView one = Plane.open(ensemble, "h1")) {
                one.claim(Plane.REDS, Plane.RED, 0);
                Waits.until("h2 to see it", () -> two.home(Plane.REDS).epoch() == 1 && two.router("h1") != null);
                refused(Refusal.MOVED, () -> two.claim(Plane.REDS, Plane.RED, 1));
            }
            Waits.until("h1 to be gone", () -> two.router("h1") == null);
            long goneNs = System.nanoTime();
            Home[] home = new Home[1];
            Waits.until("the bound to be over", () -> {
                try {
                    home[0] = two.claim(Plane.REDS, Plane.RED, 1);
                    return true;
                } catch (RefusedException e) {
                    assertEquals(Refusal.MOVED, e.refusal());
                    return false;
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            assertEquals(2, home[0].epoch());
            // h1 was seen to be away a little before this thread saw it
            assertTrue(System.nanoTime() - goneNs > Plane.BOUND_NS / 2, "sooner than the bound");
        }
    }

    @Test
    void whatIsWrongOfAnAdministratorIsRefusedAsAWholeWithItsPath() throws Exception {
        Ensemble ensemble = plane.ensemble();
        try (ZooKeeperView view = Plane.open(ensemble, null)) {
            Plane.write(ensemble, "/tenants/red", "{\"name\": \"red\",\n \"user\": -1}");
            Waits.until("the mistake", () -> view.trouble() != null);
            assertTrue(view.trouble().contains(ensemble.layout().root() + "/tenants/red:2:10: user is -1"),
                    view.trouble());
            assertEquals(70001, view.tenant(Plane.RED).user());
            long confirmedNs = view.confirmedNs();
            Plane.write(ensemble, "/rules", "{\"rules\": [{\"from\": \"red\"}]}");
            Plane.write(ensemble, "/tenants/red", "{\"name\": \"red\", \"user\": 70009}");
            Waits.until("what was mended", () -> view.trouble() == null);
            assertEquals(70009, view.tenant(Plane.RED).user());
            assertEquals(1, view.rules().size());
            assertTrue(view.confirmedNs() > confirmedNs);
        }
    }

    @Test
    void whatIsWrongOfAHostHoldsUpNobodyElse() throws Exception {
        Ensemble ensemble = plane.ensemble();
        try (ZooKeeperView one = Plane.open(ensemble, "h1"); ZooKeeperView two = Plane.open(ensemble, "h2")) {
            one.claim(Plane.REDS, Plane.RED, 0);
            Waits.until("h2 to see it", () -> two.home(Plane.REDS).epoch() == 1);
            Plane.write(ensemble, "/homes/10.77.0.5", "no home");
            Plane.write(ensemble, "/hosts/h1/live", "{\"host\": \"h2\", \"control\": \"x\", \"data\": \"y\"}");
            Waits.until("both", () -> two.home(Plane.REDS).epoch() == 2 && two.router("h1") == null);
            assertEquals(Home.State.GONE, two.home(Plane.REDS).state());
            assertNull(two.trouble());
            assertEquals(1, two.claim(Plane.BLUES, Plane.BLUE, 0).epoch());
        }
    }

    @Test
    void anAddressThatGoesToAnotherTenantKeepsItsEpoch() throws Exception {
        Ensemble ensemble = plane.ensemble();
        try (ZooKeeperView view = Plane.open(ensemble, "h1"); ZooKeeperStore store = new ZooKeeperStore(ensemble)) {
            view.claim(Plane.REDS, Plane.RED, 0);
            store.change("test", Edits.addresses(Plane.RED, List.of(OTHER), List.of(Plane.REDS), true));
            Waits.until("nobody to have it", () -> view.home(Plane.REDS) == null);
            store.change("test", Edits.addresses(Plane.BLUE, List.of(Plane.REDS), List.of(), true));
            Waits.until("blue to have it", () -> view.home(Plane.REDS) != null);
            assertEquals(new Home(Plane.REDS, Plane.BLUE, "", 3, Home.State.GONE), view.home(Plane.REDS));
        }
    }

    @Test
    void whoIsDeletedIsToldAsRevokedAndItsHostCanDoNothingByItsEpoch() throws Exception {
        Ensemble ensemble = plane.ensemble();
        List<String> told = new CopyOnWriteArrayList<>();
        try (ZooKeeperView view = Plane.open(ensemble, "h1"); ZooKeeperStore store = new ZooKeeperStore(ensemble)) {
            Home home = view.claim(Plane.REDS, Plane.RED, 0);
            view.listen(new Told(told));
            store.change("test", Edits.delete(Plane.RED, true));
            Waits.until("it to be gone", () -> view.tenant(Plane.RED) == null && view.home(Plane.REDS) == null);
            Waits.until("both to be told", () -> told.contains("red true")
                    && told.contains("10.77.0.5 h1 1 to  2 GONE"), () -> told);
            view.release(home); // of before: it writes nothing
            assertEquals(2, view.epochRead(Plane.REDS));
            refused(Refusal.NOT_YOURS, () -> view.claim(Plane.REDS, Plane.RED, 2));
        }
    }
}
