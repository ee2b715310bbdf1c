package org.jvrpc.tools.router.ctl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.router.RefusedException;
import org.jvrpc.router.TenantId;
import org.jvrpc.router.VirtualAddress;
import org.jvrpc.router.control.embedded.EnsembleFolder;
import org.jvrpc.router.control.embedded.EnsembleServer;
import org.jvrpc.router.control.zookeeper.Ensemble;
import org.jvrpc.router.control.zookeeper.ZooKeeperView;
import org.jvrpc.router.map.Home;
import org.jvrpc.router.map.RouterRecord;
import org.jvrpc.testing.Waits;

/** Tenants whose addresses change, and who go. */
class CtlTenantTest {

    private static final TenantId RED = new TenantId("red");
    private static final VirtualAddress REDS = new VirtualAddress("10.77.0.5");
    private static final long BOUND_NS = 30_000_000_000L;
    private static final long OPEN_MS = 30_000;

    @TempDir
    private static Path folder;
    private static EnsembleServer server;
    private static int clusters;

    private final Typed typed = new Typed();
    private String cluster;

    @BeforeAll
    static void start() throws Exception {
        server = EnsembleServer.start(EnsembleFolder.open(folder.resolve("ensemble"), List.of("h1", "h2")), 0);
    }

    @AfterAll
    static void end() {
        server.close();
    }

    @BeforeEach
    void draw() {
        cluster = "tenant-" + ++clusters;
    }

    private void tenants(String place, String where) {
        typed.done(place, where, "init");
        typed.done(place, where, "create", "red", "--user", "70001", "--address", "10.77.0.5,10.77.0.6");
        typed.done(place, where, "create", "blue", "--user", "70002", "--address", "10.77.0.7");
    }

    private void assertWrong(String why, String place, String where, String... words) {
        assertEquals(2, typed.run(place, where, words), typed::out);
        assertTrue(typed.err().contains(why), typed::err);
    }

    private void change(String place, String where) throws IOException {
        tenants(place, where);
        typed.done(place, where, "address", "red");
        assertTrue(typed.out().startsWith("tenant red has [10.77.0.5, 10.77.0.6], epoch "), typed::out);
        typed.done(place, where, "address", "red", "--add", "10.77.0.8", "--remove", "10.77.0.5", "--json");
        assertEquals("[\"10.77.0.6\",\"10.77.0.8\"]", typed.json().get("addresses").toString());
        typed.done(place, where, "address", "blue", "--add", "10.77.0.5");
        typed.done(place, where, "audit");
        assertTrue(typed.out().contains("addresses tenant=red add=[10.77.0.8] remove=[10.77.0.5]"), typed::out);
    }

    private void changeWrongly(String place, String where) {
        assertWrong("address=10.77.0.5 is tenant=blue's", place, where, "address", "red", "--add", "10.77.0.5");
        assertWrong("tenant=red has no address=10.77.0.7", place, where, "address", "red", "--remove", "10.77.0.7");
        assertWrong("tenant=red needs an address", place, where, "address", "red", "--remove", "10.77.0.6,10.77.0.8");
        assertWrong("tenant=green is not there", place, where, "address", "green", "--add", "10.77.0.9");
        assertWrong("virtual address=red.example", place, where, "address", "red", "--add", "red.example");
    }

    private void delete(String place, String where, String... how) throws IOException {
        typed.done(place, where, "policy", "--allow", "--from", "red", "--to", "blue");
        typed.done(place, where, "policy", "--deny", "--to", "red");
        typed.done(place, where, "policy", "--allow", "--from", "blue");
        typed.done(place, where, how);
        assertEquals("red", typed.json().get("deleted").asText());
        assertEquals(2, typed.json().get("rules").asInt());
        typed.done(place, where, "policy", "--json");
        assertEquals(1, typed.json().get("rules").size());
        assertWrong("tenant=red is not there", place, where, "delete", "red", "--force");
        typed.done(place, where, "create", "green", "--user", "70003", "--address", "10.77.0.6,10.77.0.8");
        typed.done(place, where, "list", "--json");
        assertEquals(2, typed.json().get("tenants").size());
        typed.done(place, where, "audit");
        assertTrue(typed.out().contains("delete tenant=red addresses=[10.77.0.6, 10.77.0.8]"), typed::out);
    }

    @Test
    void addressesOfAFileChangeAndATenantThatIsRevokedGoes() throws IOException {
        String file = folder.resolve("tenants.json").toString();
        change("--file", file);
        changeWrongly("--file", file);
        assertWrong("tenant=red is not revoked, and may be attached", "--file", file, "delete", "red");
        typed.done("--file", file, "revoke", "red");
        delete("--file", file, "delete", "red", "--json");
        assertWrong("a file knows one host alone", "--file", file, "address", "blue", "--add", "10.77.0.20", "--hosts",
                "h1");
    }

    @Test
    void addressesOfAnEnsembleChangeAndATenantThatIsNotAttachedGoes() throws IOException {
        String admin = server.control(cluster, "admin");
        change("--control", admin);
        delete("--control", admin, "delete", "red", "--json");
    }

    @Test
    void whatLivesAtAHostIsTakenOnceThatLetsGoOrByForce() throws Exception {
        String admin = server.control(cluster, "admin");
        tenants("--control", admin);
        typed.done("--control", admin, "host", "h1");
        try (ZooKeeperView view = view("h1")) {
            view.claim(REDS, RED, 0);
            assertWrong("tenant=red address=10.77.0.5 lives at host=h1 state=SERVING epoch=1: stop it, revoke it, or"
                    + " use --force", "--control", admin, "delete", "red");
            assertEquals(1, typed.run("--control", admin, "address", "red", "--remove", "10.77.0.5", "--wait", "0",
                    "--json"), typed::err);
            assertEquals("[\"10.77.0.5\"]", typed.json().get("left").toString());
            Waits.until("it to move", () -> view.home(REDS).state() == Home.State.MOVING);
            assertEquals(2, view.tenant(RED).addresses().size());
            view.release(view.home(REDS));
            typed.done("--control", admin, "address", "red", "--remove", "10.77.0.5");
            Waits.until("it to be gone", () -> view.home(REDS) == null && view.tenant(RED).addresses().size() == 1);
            typed.done("--control", admin, "address", "red", "--add", "10.77.0.5", "--hosts", "h1");
            Waits.until("it to be back", () -> view.home(REDS) != null);
            view.claim(REDS, RED, view.home(REDS).epoch());
            typed.done("--control", admin, "address", "red", "--remove", "10.77.0.5", "--force");
            Waits.until("it to be taken", () -> view.home(REDS) == null);
            typed.done("--control", admin, "delete", "red", "--force");
            Waits.until("it to be deleted", () -> view.tenant(RED) == null);
            assertNull(view.trouble());
        }
    }

    @Test
    void anAddressThatHadAnotherTenantIsForTheHostsThatAreNamedAlone() throws Exception {
        String admin = server.control(cluster, "admin");
        tenants("--control", admin);
        typed.done("--control", admin, "host", "h1");
        typed.done("--control", admin, "host", "h2");
        assertWrong("hosts=[h9], known are [h1, h2]", "--control", admin, "address", "red", "--add", "10.77.0.9",
                "--hosts", "h9");
        typed.done("--control", admin, "address", "red", "--remove", "10.77.0.5");
        typed.done("--control", admin, "address", "blue", "--add", "10.77.0.5", "--hosts", "h2");
        TenantId blue = new TenantId("blue");
        try (ZooKeeperView one = view("h1"); ZooKeeperView two = view("h2")) {
            long epoch = one.home(REDS).epoch();
            assertFalse(mayHave(one, blue, epoch), "h1 may have it");
            assertTrue(mayHave(two, blue, epoch), "h2 may not have it");
        }
    }

    private static boolean mayHave(ZooKeeperView view, TenantId tenant, long epoch) throws InterruptedException {
        try {
            view.claim(REDS, tenant, epoch);
            return true;
        } catch (RefusedException e) {
            assertTrue(e.getMessage().contains("may not have address=10.77.0.5"), e.getMessage());
            return false;
        }
    }

    private ZooKeeperView view(String host) throws IOException, InterruptedException {
        RouterRecord router = new RouterRecord(host, host + ":4900", "roce://10.78.0.1:4800", null, 1, false, 1);
        return ZooKeeperView.open(Ensemble.parse(server.control(cluster, host)), router, BOUND_NS, OPEN_MS);
    }
}
