package org.jvrpc.tools.router;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.router.Quota;
import org.jvrpc.router.TenantId;
import org.jvrpc.router.VirtualAddress;
import org.jvrpc.router.control.Edits;
import org.jvrpc.router.control.embedded.EnsembleFolder;
import org.jvrpc.router.control.embedded.EnsembleServer;
import org.jvrpc.router.control.zookeeper.Ensemble;
import org.jvrpc.router.control.zookeeper.ZooKeeperStore;
import org.jvrpc.router.tenant.Tokens;
import org.jvrpc.testing.Waits;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;

/** Routers that learn from an ensemble of ZooKeeper. */
class RouterOfEnsembleTest {

    private static final String LONG = "&session-ms=60000";
    /** So long a router waits for one before it to be gone, twice. */
    private static final String SHORT = "&session-ms=1000";
    private static final TenantId RED = new TenantId("red");

    @TempDir
    private Path folder;

    private Path makeFolder(String name) throws IOException {
        Path made = Files.createDirectory(folder.resolve(name));
        Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path tenants = Files.createDirectory(made.resolve("tenants"));
        Files.setPosixFilePermissions(tenants, PosixFilePermissions.fromString("rwx--x--x"));
        return made;
    }

    @Test
    void aRouterServesWhatTheEnsembleSaysAndTheSecondOfAHostDoesNotBegin() throws Exception {
        RouterProcess.assumeEnoughDescriptors();
        Path first = makeFolder("first");
        Path second = makeFolder("second");
        Path red = Files.createDirectory(first.resolve("tenants/red"));
        Tokens.Made token = Tokens.make(new SecureRandom(), "t1", Instant.parse("2099-01-01T00:00:00Z").toEpochMilli());
        Files.writeString(red.resolve("token"), token.token());
        Files.setPosixFilePermissions(red, PosixFilePermissions.fromString("rwxrwx---"));
        EnsembleFolder files = EnsembleFolder.open(folder.resolve("ensemble"), List.of("h1"));
        try (EnsembleServer server = EnsembleServer.start(files, 0);
                ZooKeeperStore store = new ZooKeeperStore(Ensemble.parse(server.control("main", "admin") + LONG))) {
            store.init();
            store.addHost("h1");
            int user = (Integer) Files.getAttribute(red, "unix:uid");
            store.change("create", Edits.create(RED, user, List.of(new VirtualAddress("10.77.0.5")), Quota.DEFAULT));
            store.change("token", Edits.addToken(RED, token.hash()));
            String control = server.control("main", "h1");
            try (RouterProcess router = RouterProcess.start(folder.resolve("said"), "--dir", first.toString(), "--host",
                    "h1", "--control", control + LONG)) {
                router.awaitServing();
                Waits.until("the tenant's socket", () -> Files.exists(red.resolve("s")));
                try (Device device = Devices.open("router://10.77.0.5:0?dir=" + red)) {
                    device.createChannel().close();
                }
                try (RouterProcess other = RouterProcess.start(folder.resolve("other"), "--dir", second.toString(),
                        "--host", "h1", "--control", control + SHORT)) {
                    assertEquals(3, other.awaitEnd(), other::said);
                    assertTrue(other.said().contains("jvrpc router run: "), other::said);
                }
                store.change("revoke", Edits.revoke(RED, true));
                Waits.until("the socket of who is revoked to be gone", () -> !Files.exists(red.resolve("s")));
                router.terminate();
                assertEquals(0, router.awaitEnd(), router::said);
            }
        }
    }
}
