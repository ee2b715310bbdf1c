package org.jvrpc.tools.router.ctl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
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
import picocli.CommandLine;

/** What an administrator types. */
class CtlTest {

    private static final TenantId RED = new TenantId("red");
    private static final VirtualAddress REDS = new VirtualAddress("10.77.0.5");
    private static final long BOUND_NS = 30_000_000_000L;
    private static final long OPEN_MS = 30_000;

    @TempDir
    private static Path folder;
    private static EnsembleServer server;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeAll
    static void start() throws Exception {
        server = EnsembleServer.start(EnsembleFolder.open(folder.resolve("ensemble"), List.of("h1", "h2")), 0);
    }

    @AfterAll
    static void end() {
        server.close();
    }

    private int run(String place, String where, String... words) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        CommandLine command = new CommandLine(new CtlCommand()).setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err));
        String[] all = new String[words.length + 2];
        System.arraycopy(words, 0, all, 0, words.length);
        all[words.length] = place;
        all[words.length + 1] = where;
        return command.execute(all);
    }

    private void done(String place, String where, String... words) {
        assertEquals(0, run(place, where, words), () -> String.join(" ", words) + ": " + err);
    }

    private JsonNode json() throws IOException {
        return new ObjectMapper().readTree(out.toString());
    }

    private void administer(String place, String where) throws IOException {
        done(place, where, "init");
        done(place, where, "create", "red", "--user", "70001", "--address", "10.77.0.5,10.77.0.6", "--qps", "16");
        done(place, where, "create", "blue", "--user", "70002", "--address", "10.77.0.7");
        done(place, where, "quota", "red", "--bytes", "1048576", "--weight", "7", "--json");
        assertEquals(16, json().get("qps").asInt());
        assertEquals(1 << 20, json().get("bytes").asInt());
        done(place, where, "policy", "--allow", "--from", "red", "--to", "blue", "--ports", "7000-7009");
        done(place, where, "policy", "--deny", "--from", "red", "--to", "blue", "--place", "0");
        assertTrue(out.toString().startsWith("0 deny red to blue ports 1-65535\n1 allow red to blue ports 7000-7009"),
                out.toString());
        done(place, where, "policy", "--remove", "0", "--json");
        assertEquals(1, json().get("rules").size());
        done(place, where, "revoke", "blue");
        done(place, where, "list", "--json");
        JsonNode tenants = json().get("tenants");
        assertEquals("blue", tenants.get(0).get("tenant").get("name").asText());
        assertTrue(tenants.get(0).get("tenant").get("revoked").asBoolean());
        done(place, where, "revoke", "blue", "--undo");
        done(place, where, "token", "red", "--id", "t1", "--json");
        String token = json().get("token").asText();
        Path file = folder.resolve("token-" + System.nanoTime());
        done(place, where, "token", "red", "--id", "t2", "--out", file.toString());
        assertEquals("r--------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
        assertFalse(out.toString().contains(Files.readString(file).strip()));
        done(place, where, "show", "red");
        assertTrue(out.toString().contains("token t1 until") && out.toString().contains("token t2 until"),
                out.toString());
        assertFalse(out.toString().contains(token));
        done(place, where, "token", "red", "--remove", "t1");
        done(place, where, "audit", "--json");
        assertTrue(out.toString().contains("create tenant=red user=70001 addresses=[10.77.0.5, 10.77.0.6]"),
                out.toString());
        assertTrue(out.toString().contains("remove token=t1 of tenant=red"), out.toString());
        assertFalse(out.toString().contains(token));
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
        assertEquals(2, run("--file", file.toString(), "move", "10.77.0.5"));
        assertTrue(err.toString().contains("a file knows one host alone"), err.toString());
    }

    @Test
    void whatIsSaidOfAnEnsembleIsReadByItsView() throws Exception {
        String admin = server.control("ctl", "admin");
        done("--control", admin, "init");
        done("--control", admin, "host", "h1");
        done("--control", admin, "create", "red", "--user", "70001", "--address", "10.77.0.5", "--weight", "7",
                "--hosts", "h1");
        RouterRecord router = new RouterRecord("h1", "h1:4900", "roce://10.78.0.1:4800", null, 1, false, 1);
        try (ZooKeeperView view = ZooKeeperView.open(Ensemble.parse(server.control("ctl", "h1")), router, BOUND_NS,
                OPEN_MS)) {
            assertEquals(7, view.tenant(RED).quota().weight());
            String token = Files.readString(newToken(admin)).strip();
            Waits.until("the token", () -> view.tenant(RED).tokens().size() == 1);
            assertEquals("t3", Tokens.check(view.tenant(RED), Tokens.bytes(token), System.currentTimeMillis()));
            view.claim(REDS, RED, 0);
            assertEquals(1, run("--control", admin, "move", "10.77.0.5", "--wait", "0", "--json"));
            assertFalse(json().get("free").asBoolean());
            Waits.until("it to move", () -> view.home(REDS).state() == Home.State.MOVING);
            done("--control", admin, "list");
            assertTrue(out.toString().contains("10.77.0.5 at h1 MOVING epoch 2"), out.toString());
            view.release(view.home(REDS));
            done("--control", admin, "drain", "h1");
            assertTrue(out.toString().contains("no address lives at h1, 0 did"), out.toString());
            done("--control", admin, "audit");
            assertTrue(out.toString().contains("\"by\": \"admin\", \"what\": \"move addresses=[10.77.0.5]\""),
                    out.toString());
        }
    }

    private Path newToken(String admin) {
        Path file = folder.resolve("token-" + System.nanoTime());
        done("--control", admin, "token", "red", "--id", "t3", "--out", file.toString());
        return file;
    }

    @Test
    void exitCodesTellWrongArgumentsFromWhatCouldNotBe() {
        String file = folder.resolve("missing.json").toString();
        assertEquals(3, run("--file", file, "list"));
        assertTrue(err.toString().contains("missing.json is not there: jvrpc router ctl init makes it"),
                err.toString());
        done("--file", file, "init");
        assertEquals(2, run("--file", file, "show", "nobody"));
        assertTrue(err.toString().contains("tenant=nobody is not there"), err.toString());
        assertEquals(2, run("--file", file, "create", "Red", "--user", "1", "--address", "10.77.0.5"));
        assertEquals(2, run("--file", file, "create", "red", "--user", "1", "--address", "example.org"));
        assertEquals(2, run("--file", file, "create", "red", "--user", "1"));
        assertEquals(2, run("--file", file, "policy", "--allow", "--ports", "0-9"));
        assertEquals(2, run("--control", "zk://127.0.0.1:1", "list"));
        assertEquals(3, run("--control", "zk://127.0.0.1:1/main?session-ms=500", "list"));
        assertTrue(err.toString().contains("127.0.0.1:1 cannot be reached within 500 ms"), err.toString());
        assertEquals(3, run("--control", server.control("none", "admin"), "list"));
        assertTrue(err.toString().contains("/jvrpc-router/none/epoch is missing: jvrpc router ctl init"),
                err.toString());
        assertEquals(3, run("--control", server.control("mine", "h1"), "init"));
        assertTrue(err.toString().contains("user=h1 may not do that"), err.toString());
    }

    @Test
    void aFolderIsPreparedByCommandsThatAreFirstSaid() throws IOException {
        String file = folder.resolve("prepare.json").toString();
        done("--file", file, "init");
        done("--file", file, "create", "red", "--user", "70001", "--address", "10.77.0.5", "--bytes", "1048576");
        Path dir = Files.createDirectories(folder.resolve("it's/tenants")).getParent();
        done("--file", file, "prepare", "red", "--dir", dir.toString(), "--group", "70009");
        List<String> lines = out.toString().lines().toList();
        assertEquals("mkdir '" + dir.toString().replace("'", "'\\''") + "/tenants/red'", lines.get(0));
        assertTrue(lines.get(1).startsWith("mount -t tmpfs -o nosuid,nodev,noexec,mode=2770,size=1048576,uid=70001,"
                + "gid=70009 jvrpc-red "), lines.get(1));
        assertFalse(Files.exists(dir.resolve("tenants/red")));
        int user = (int) Files.getAttribute(dir, "unix:uid");
        String own = folder.resolve("own.json").toString();
        done("--file", own, "init");
        done("--file", own, "create", "red", "--user", Integer.toString(user), "--address", "10.77.0.5");
        done("--file", own, "prepare", "red", "--dir", dir.toString(), "--no-tmpfs", "--apply");
        assertEquals(02770, (int) Files.getAttribute(dir.resolve("tenants/red"), "unix:mode") & 07777);
        assertEquals(3, run("--file", own, "prepare", "red", "--dir", dir.toString(), "--no-tmpfs", "--apply"));
    }
}
