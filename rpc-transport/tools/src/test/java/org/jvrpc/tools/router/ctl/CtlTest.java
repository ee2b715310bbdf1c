package org.jvrpc.tools.router.ctl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.router.TenantId;
import org.jvrpc.router.VirtualAddress;
import org.jvrpc.router.control.embedded.EnsembleFolder;
import org.jvrpc.router.control.embedded.EnsembleServer;
import org.jvrpc.router.control.file.FileView;
import org.jvrpc.router.control.zookeeper.Ensemble;
import org.jvrpc.router.control.zookeeper.ZooKeeperView;
import org.jvrpc.router.map.Home;
import org.jvrpc.router.map.RouterRecord;
import org.jvrpc.router.tenant.Tokens;
import org.jvrpc.testing.Waits;

/** What an administrator types. */
class CtlTest {

    private static final TenantId RED = new TenantId("red");
    private static final VirtualAddress REDS = new VirtualAddress("10.77.0.5");
    private static final long BOUND_NS = 30_000_000_000L;
    private static final long OPEN_MS = 30_000;

    @TempDir
    private static Path folder;
    private static EnsembleServer server;

    private final Typed typed = new Typed();

    @BeforeAll
    static void start() throws Exception {
        server = EnsembleServer.start(EnsembleFolder.open(folder.resolve("ensemble"), List.of("h1", "h2")), 0);
    }

    @AfterAll
    static void end() {
        server.close();
    }

    private void administer(String place, String where) throws IOException {
        typed.done(place, where, "init");
        typed.done(place, where, "create", "red", "--user", "70001", "--address", "10.77.0.5,10.77.0.6", "--qps", "16");
        typed.done(place, where, "create", "blue", "--user", "70002", "--address", "10.77.0.7");
        typed.done(place, where, "quota", "red", "--bytes", "1048576", "--weight", "7", "--json");
        assertEquals(16, typed.json().get("qps").asInt());
        assertEquals(1 << 20, typed.json().get("bytes").asInt());
        typed.done(place, where, "policy", "--allow", "--from", "red", "--to", "blue", "--ports", "7000-7009");
        typed.done(place, where, "policy", "--deny", "--from", "red", "--to", "blue", "--place", "0");
        assertTrue(typed.out().startsWith("0 deny red to blue ports 1-65535\n1 allow red to blue ports 7000-7009"),
                typed.out());
        typed.done(place, where, "policy", "--remove", "0", "--json");
        assertEquals(1, typed.json().get("rules").size());
        typed.done(place, where, "revoke", "blue");
        typed.done(place, where, "list", "--json");
        JsonNode tenants = typed.json().get("tenants");
        assertEquals("blue", tenants.get(0).get("tenant").get("name").asText());
        assertTrue(tenants.get(0).get("tenant").get("revoked").asBoolean());
        typed.done(place, where, "revoke", "blue", "--undo");
        typed.done(place, where, "token", "red", "--id", "t1", "--json");
        String token = typed.json().get("token").asText();
        Path file = folder.resolve("token-" + System.nanoTime());
        typed.done(place, where, "token", "red", "--id", "t2", "--out", file.toString());
        assertEquals("r--------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
        assertFalse(typed.out().contains(Files.readString(file).strip()));
        typed.done(place, where, "show", "red");
        assertTrue(typed.out().contains("token t1 until") && typed.out().contains("token t2 until"),
                typed.out());
        assertFalse(typed.out().contains(token));
        typed.done(place, where, "token", "red", "--remove", "t1");
        typed.done(place, where, "audit", "--json");
        assertTrue(typed.out().contains("create tenant=red user=70001 addresses=[10.77.0.5, 10.77.0.6]"),
                typed.out());
        assertTrue(typed.out().contains("remove token=t1 of tenant=red"), typed.out());
        assertFalse(typed.out().contains(token));
    }

    @Test
    void whatIsSaidOfAFileIsReadByItsView() throws IOException {
        Path file = folder.resolve("control.json");
        administer("--file", file.toString());
        try (FileView view = new FileView(file, "h1")) {
            assertEquals(7, view.tenant(RED).quota().weight());
            assertEquals("t2", view.tenant(RED).tokens().get(0).id());
            assertEquals(1, view.rules().size());
        }
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
        assertEquals(2, typed.run("--file", file.toString(), "move", "10.77.0.5"));
        assertTrue(typed.err().contains("a file knows one host alone"), typed.err());
    }

    @Test
    void whatIsSaidOfAnEnsembleIsReadByItsView() throws Exception {
        String admin = server.control("ctl", "admin");
        typed.done("--control", admin, "init");
        typed.done("--control", admin, "host", "h1");
        typed.done("--control", admin, "create", "red", "--user", "70001", "--address", "10.77.0.5", "--weight", "7",
                "--hosts", "h1");
        RouterRecord router = new RouterRecord("h1", "h1:4900", "roce://10.78.0.1:4800", null, 1, false, 1);
        try (ZooKeeperView view = ZooKeeperView.open(Ensemble.parse(server.control("ctl", "h1")), router, BOUND_NS,
                OPEN_MS)) {
            assertEquals(7, view.tenant(RED).quota().weight());
            String token = Files.readString(newToken(admin)).strip();
            Waits.until("the token", () -> view.tenant(RED).tokens().size() == 1);
            assertEquals("t3", Tokens.check(view.tenant(RED), Tokens.bytes(token), System.currentTimeMillis()));
            view.claim(REDS, RED, 0);
            assertEquals(1, typed.run("--control", admin, "move", "10.77.0.5", "--wait", "0", "--json"));
            assertFalse(typed.json().get("free").asBoolean());
            Waits.until("it to move", () -> view.home(REDS).state() == Home.State.MOVING);
            typed.done("--control", admin, "list");
            assertTrue(typed.out().contains("10.77.0.5 at h1 MOVING epoch 2"), typed.out());
            view.release(view.home(REDS));
            typed.done("--control", admin, "drain", "h1");
            assertTrue(typed.out().contains("no address lives at h1, 0 did"), typed.out());
            typed.done("--control", admin, "audit");
            assertTrue(typed.out().contains("\"by\": \"admin\", \"what\": \"move addresses=[10.77.0.5]\""),
                    typed.out());
        }
    }

    private Path newToken(String admin) {
        Path file = folder.resolve("token-" + System.nanoTime());
        typed.done("--control", admin, "token", "red", "--id", "t3", "--out", file.toString());
        return file;
    }

    @Test
    void exitCodesTellWrongArgumentsFromWhatCouldNotBe() {
        String file = folder.resolve("missing.json").toString();
        assertEquals(3, typed.run("--file", file, "list"));
        assertTrue(typed.err().contains("missing.json is not there: jvrpc router ctl init makes it"),
                typed.err());
        typed.done("--file", file, "init");
        assertEquals(2, typed.run("--file", file, "show", "nobody"));
        assertTrue(typed.err().contains("tenant=nobody is not there"), typed.err());
        assertEquals(2, typed.run("--file", file, "create", "Red", "--user", "1", "--address", "10.77.0.5"));
        assertEquals(2, typed.run("--file", file, "create", "red", "--user", "1", "--address", "example.org"));
        assertEquals(2, typed.run("--file", file, "create", "red", "--user", "1"));
        assertEquals(2, typed.run("--file", file, "policy", "--allow", "--ports", "0-9"));
        assertEquals(2, typed.run("--control", "zk://127.0.0.1:1", "list"));
        assertEquals(3, typed.run("--control", "zk://127.0.0.1:1/main?session-ms=500", "list"));
        assertTrue(typed.err().contains("127.0.0.1:1 cannot be reached within 500 ms"), typed.err());
        assertEquals(3, typed.run("--control", server.control("none", "admin"), "list"));
        assertTrue(typed.err().contains("/jvrpc-router/none/epoch is missing: jvrpc router ctl init"),
                typed.err());
        assertEquals(3, typed.run("--control", server.control("mine", "h1"), "init"));
        assertTrue(typed.err().contains("user=h1 may not do that"), typed.err());
    }

    @Test
    void aFolderIsPreparedByCommandsThatAreFirstSaid() throws IOException {
        String file = folder.resolve("prepare.json").toString();
        typed.done("--file", file, "init");
        typed.done("--file", file, "create", "red", "--user", "70001", "--address", "10.77.0.5", "--bytes", "1048576");
        Path dir = Files.createDirectories(folder.resolve("it's/tenants")).getParent();
        typed.done("--file", file, "prepare", "red", "--dir", dir.toString(), "--group", "70009");
        List<String> lines = typed.out().lines().toList();
        assertEquals("mkdir '" + dir.toString().replace("'", "'\\''") + "/tenants/red'", lines.get(0));
        assertTrue(lines.get(1).startsWith("mount -t tmpfs -o nosuid,nodev,noexec,mode=2770,size=1048576,uid=70001,"
                + "gid=70009 jvrpc-red "), lines.get(1));
        assertFalse(Files.exists(dir.resolve("tenants/red")));
        int user = (int) Files.getAttribute(dir, "unix:uid");
        String own = folder.resolve("own.json").toString();
        typed.done("--file", own, "init");
        typed.done("--file", own, "create", "red", "--user", Integer.toString(user), "--address", "10.77.0.5");
        typed.done("--file", own, "prepare", "red", "--dir", dir.toString(), "--no-tmpfs", "--apply");
        assertEquals(02770, (int) Files.getAttribute(dir.resolve("tenants/red"), "unix:mode") & 07777);
        assertEquals(3, typed.run("--file", own, "prepare", "red", "--dir", dir.toString(), "--no-tmpfs", "--apply"));
    }
}
