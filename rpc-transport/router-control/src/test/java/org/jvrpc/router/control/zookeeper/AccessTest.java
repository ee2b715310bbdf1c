package org.jvrpc.router.control.zookeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.List;
import java.util.stream.Stream;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.router.Quota;
import org.jvrpc.router.Refusal;
import org.jvrpc.router.RefusedException;
import org.jvrpc.router.TenantId;
import org.jvrpc.router.VirtualAddress;
import org.jvrpc.router.control.Edits;
import org.jvrpc.router.control.embedded.EnsembleFolder;
import org.jvrpc.router.control.embedded.EnsembleServer;
import org.jvrpc.router.tenant.Tokens;
import org.jvrpc.testing.Waits;

/** Who may do what in an ensemble of one, with users and TLS. */
class AccessTest {

    private static final TenantId GREEN = new TenantId("green");
    private static final VirtualAddress GREENS = new VirtualAddress("10.77.0.7");
    private static final int SHORT_MS = 500;

    /** Of somebody else, until 2126. */
    private static final String STRANGER = """
            -----BEGIN CERTIFICATE-----
            MIIBPjCB5aADAgECAggup2OMWLuiTzAKBggqhkjOPQQDAjATMREwDwYDVQQDEwhz
            dHJhbmdlcjAgFw0yNjExMjcxMTUyNTFaGA8yMTI2MTEwMzExNTI1MVowEzERMA8G
            A1UEAxMIc3RyYW5nZXIwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAR1DbtHQK3M
            XCpYFWpjDJHL5S4S8lOQZo7KYaRg/3J61UXLj2X1gU31qAHgIVFyB0voXMpFDVLZ
            C7/Fwm3qGq2foyEwHzAdBgNVHQ4EFgQUyZnRGj1xxwUv2K0DabSndm/ubtAwCgYI
            KoZIzj0EAwIDSAAwRQIhAPBI4ukuksmKZvbZZJhj0u4B88HGoub1PTy22cBT02WQ
            AiAF+gMmSy885rjjWoiaBXPE5J+APpNd73HYK070HEqaGw==
            -----END CERTIFICATE-----
            """;

    @TempDir
    private static Path folder;
    private static EnsembleFolder files;
    private static EnsembleServer server;

    @BeforeAll
    static void start() throws Exception {
        files = EnsembleFolder.open(folder.resolve("ensemble"), List.of("h1", "h2"));
        server = EnsembleServer.start(files, 0);
        try (ZooKeeperStore store = new ZooKeeperStore(ensemble("admin"))) {
            Plane.fill(store);
            store.change("create", Edits.create(GREEN, 70003, List.of(GREENS), Quota.DEFAULT), List.of("h2"));
        }
    }

    @AfterAll
    static void end() {
        server.close();
    }

    private static Ensemble ensemble(String user) {
        return Ensemble.parse(server.control("main", user) + "&session-ms=10000");
    }

    private static void assertForbidden(Executable what) {
        assertThrows(KeeperException.NoAuthException.class, what);
    }

    @Test
    void aHostMayBeThereAndHaveAddressesButChangeNothingElse() throws Exception {
        try (ZooKeeperView view = Plane.open(ensemble("h1"), "h1")) {
            assertEquals(70001, view.tenant(Plane.RED).user());
            assertEquals(1, view.claim(Plane.REDS, Plane.RED, 0).epoch());
        }
        Ensemble.Client h1 = Plane.raw(ensemble("h1"));
        ZooKeeper zooKeeper = h1.zooKeeper();
        Layout layout = ensemble("h1").layout();
        for (String path : List.of(layout.epoch(), layout.rules(), layout.tenant("red"), layout.host("h1"))) {
            assertForbidden(() -> zooKeeper.setData(path, new byte[0], -1));
            assertForbidden(() -> zooKeeper.setACL(path, Ids.OPEN_ACL_UNSAFE, -1));
        }
        assertForbidden(() -> zooKeeper.delete(layout.home("10.77.0.5"), -1));
        assertForbidden(() -> zooKeeper.setACL(layout.home("10.77.0.5"), Ids.OPEN_ACL_UNSAFE, -1));
        assertForbidden(() -> zooKeeper.create(layout.tenant("mine"), new byte[0], Ids.OPEN_ACL_UNSAFE,
                CreateMode.PERSISTENT));
        assertForbidden(() -> zooKeeper.getChildren(layout.audit(), false));
        assertForbidden(() -> zooKeeper.create(layout.audit() + "/n", new byte[0], Ids.OPEN_ACL_UNSAFE,
                CreateMode.PERSISTENT_SEQUENTIAL));
        h1.close();
    }

    @Test
    void aStolenRouterNeitherClaimsAddressesThatItMayNotHaveNorStandsForAnotherHost() throws Exception {
        try (ZooKeeperView stolen = Plane.open(ensemble("h1"), null)) {
            Claiming claiming = new Claiming(ensemble("h1").layout(), "h1", new Holders("h1", 0));
            Ensemble.Client h1 = Plane.raw(ensemble("h1"));
            try (ZooKeeperStore store = new ZooKeeperStore(ensemble("admin"))) {
                var state = store.read();
                RefusedException e = assertThrows(RefusedException.class, () -> claiming.claim(h1.zooKeeper(), state,
                        stolen.home(GREENS), GREENS, GREEN, 0));
                assertEquals(Refusal.NOT_YOURS, e.refusal());
                assertTrue(e.getMessage().contains("host=h1 may not have address=10.77.0.7"), e.getMessage());
            }
            h1.close();
        }
        Ensemble as = ensemble("h1");
        IOException e = assertThrows(IOException.class, () -> ZooKeeperView.open(as, Plane.router("h2", 1),
                Plane.BOUND_NS, Plane.OPEN_MS));
        assertTrue(e.getMessage().contains("hosts/h2/live cannot be made"), e.getMessage());
        try (ZooKeeperView two = Plane.open(ensemble("h2"), "h2")) {
            assertEquals(1, two.claim(GREENS, GREEN, 0).epoch());
            Ensemble.Client h1 = Plane.raw(as);
            assertForbidden(() -> h1.zooKeeper().delete(as.layout().live("h2"), -1));
            assertForbidden(() -> h1.zooKeeper().setData(as.layout().live("h2"), new byte[0], -1));
            h1.close();
        }
    }

    @Test
    void aHostThatComesLaterMayHaveWhatAllHostsMayHaveAlone() throws Exception {
        VirtualAddress everywhere = new VirtualAddress("10.77.0.8");
        VirtualAddress atOne = new VirtualAddress("10.77.0.9");
        TenantId wide = new TenantId("wide");
        TenantId narrow = new TenantId("narrow");
        Ensemble admin = Ensemble.parse(server.control("later", "admin") + "&session-ms=10000");
        try (ZooKeeperStore store = new ZooKeeperStore(admin)) {
            store.init();
            store.addHost("h1");
            store.change("create", Edits.create(wide, 1, List.of(everywhere), Quota.DEFAULT));
            store.change("create", Edits.create(narrow, 2, List.of(atOne), Quota.DEFAULT), List.of("h1"));
            store.addHost("h2");
        }
        try (ZooKeeperView late = Plane.open(Ensemble.parse(server.control("later", "h2")), "h2")) {
            assertEquals(1, late.claim(everywhere, wide, 0).epoch());
            assertEquals(Refusal.NOT_YOURS, assertThrows(RefusedException.class,
                    () -> late.claim(atOne, narrow, 0)).refusal());
        }
    }

    @Test
    void whoIsNoUserIsNotLetIn() throws Exception {
        Ensemble nobody = new Ensemble(server.address(), "main", null, files.trustFile(), 10_000);
        IOException e = assertThrows(IOException.class, () -> ZooKeeperView.open(nobody, null, Plane.BOUND_NS,
                SHORT_MS));
        assertTrue(e.getMessage().contains("not to be used"), e.getMessage());
        Path wrong = authFile("admin:guessed");
        e = assertThrows(IOException.class, () -> new ZooKeeperStore(new Ensemble(server.address(), "main", wrong,
                files.trustFile(), 10_000)));
        assertTrue(e.getMessage().contains("refuses auth-file=" + wrong) && !e.getMessage().contains("guessed"),
                e.getMessage());
    }

    @Test
    void aServerThatIsNotTrustedIsToldNothing() throws Exception {
        Path other = Files.writeString(folder.resolve("stranger.pem"), STRANGER);
        Ensemble ensemble = new Ensemble(server.address(), "main", files.authFile("admin"), other,
                SHORT_MS);
        IOException e = assertThrows(IOException.class, () -> new ZooKeeperStore(ensemble));
        assertTrue(e.getMessage().contains("cannot be reached within 500 ms"), e.getMessage());
    }

    private static Path authFile(String text) throws IOException {
        return Files.writeString(Files.createTempFile(folder, "auth", "",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))), text);
    }

    @Test
    void aFileThatIsNoPasswordOrThatOthersMayReadIsRefusedWithoutAWordOfIt() throws Exception {
        for (String text : List.of("", "hidden", ":hidden", "hidden:", "hidden:x\nhidden:y", "h:" + "i".repeat(2000))) {
            Ensemble ensemble = new Ensemble(server.address(), "main", authFile(text), files.trustFile(), SHORT_MS);
            IOException e = assertThrows(IOException.class, () -> new ZooKeeperStore(ensemble));
            assertTrue(e.getMessage().contains("is not one line user:password"), e.getMessage());
            assertFalse(e.getMessage().contains("hidden") || e.getMessage().contains("iii"), e.getMessage());
        }
        Path open = authFile("admin:hidden");
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rw-r--r--"));
        IOException e = assertThrows(IOException.class, () -> new ZooKeeperStore(new Ensemble(server.address(), "main",
                open, files.trustFile(), SHORT_MS)));
        assertTrue(e.getMessage().contains("may be read or written by every user"), e.getMessage());
    }

    @Test
    void noTokenStandsInTheEnsembleOrOnItsDisk() throws Exception {
        Tokens.Made made = Tokens.make(new SecureRandom(), "t1", System.currentTimeMillis() + 60_000);
        try (ZooKeeperStore store = new ZooKeeperStore(ensemble("admin"));
                ZooKeeperView view = Plane.open(ensemble("h2"), null)) {
            store.change("token t1 for blue", Edits.addToken(Plane.BLUE, made.hash()));
            Waits.until("the token", () -> view.tenant(Plane.BLUE).tokens().size() == 1);
            long nowMs = System.currentTimeMillis();
            assertEquals("t1", Tokens.check(view.tenant(Plane.BLUE), Tokens.bytes(made.token()), nowMs));
            assertEquals(Refusal.TOKEN_EXPIRED, assertThrows(RefusedException.class, () -> Tokens.check(
                    view.tenant(Plane.BLUE), Tokens.bytes(made.token()), nowMs + 120_000)).refusal());
            assertTrue(store.audit().toString().contains("token t1 for blue"), store.audit()::toString);
            assertFalse(store.audit().toString().contains(made.token()));
        }
        String password = Files.readString(files.authFile("h1")).strip().substring("h1:".length());
        try (Stream<Path> all = Files.walk(folder.resolve("ensemble/data"))) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                String text = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
                assertFalse(text.contains(made.token()) || text.contains(password), file::toString);
            }
        }
    }

    @Test
    void allFilesAreTheirUsersAlone() throws Exception {
        try (Stream<Path> all = Files.walk(folder.resolve("ensemble"), 1)) {
            for (Path file : all.toList()) {
                assertTrue(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)).endsWith("------"),
                        file::toString);
            }
        }
        String before = Files.readString(files.authFile("h1"));
        EnsembleFolder again = EnsembleFolder.open(folder.resolve("ensemble"), List.of("h1", "h3"));
        assertEquals(before, Files.readString(again.authFile("h1")));
        assertEquals(List.of("h1", "h2", "h3"), again.hosts());
        Path wide = Files.createDirectory(folder.resolve("wide"));
        Files.setPosixFilePermissions(wide, PosixFilePermissions.fromString("rwxr-x---"));
        assertTrue(assertThrows(IOException.class, () -> EnsembleFolder.open(wide, List.of())).getMessage()
                .contains("chmod 700"));
    }
}
