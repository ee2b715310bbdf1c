package org.jvrpc.router;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.jvrpc.router.map.TenantRecord;
import org.jvrpc.testing.Waits;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.Listener;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.WcStatus;

/** What a router says it is at. */
final class RouterStatusTest extends RouterOfTwo {

    private RouterStatus.OfTenant status(String name) {
        return status().tenants().stream().filter(one -> one.id().name().equals(name)).findAny().orElseThrow();
    }

    @Test
    void whatTenantsHaveAndMoveIsShown() throws IOException {
        try (TenantEnd from = new TenantEnd(router.open("one")); TenantEnd to = new TenantEnd(router.open("two"))) {
            to.receive(64, 512);
            String address = router.address(1);
            Listener listener = to.listen(address);
            CompletableFuture<Connection> connector = CompletableFuture.supplyAsync(() -> from.connect(address));
            to.accept(listener);
            connector.orTimeout(Waits.limitNs(), TimeUnit.NANOSECONDS).join();
            from.send(0, 300);
            assertEquals(WcStatus.SUCCESS, to.completion());

            RouterStatus now = router.server().status();
            assertEquals(2, now.devices());
            assertEquals(1, now.connections());
            assertEquals(1, now.listeners());
            assertEquals(1, status("one").has(QuotaKind.QPS));
            assertEquals(1, status("two").has(QuotaKind.LISTENERS));
            assertTrue(status("one").has(QuotaKind.BYTES) > 4096, () -> status("one").toString());
            Waits.until("what was moved to be counted", () -> status("one").bytes() == 300);
            assertEquals(1, status("one").wqes());
            assertEquals(0, status("two").bytes());
            assertNull(status("one").unserved());
        }
    }

    @Test
    void aDrainingRouterTakesNoNewDevicesUntilItServesAgain() throws IOException {
        try (TenantEnd here = new TenantEnd(router.open("one"))) {
            router.server().drain(true);
            VerbsException e = assertThrows(VerbsException.class, () -> router.open("two"));
            assertTrue(e.getMessage().contains("DRAINING"), e.getMessage());
            assertEquals(1, status("two").refused());
            assertTrue(router.server().status().draining(), "it is not draining");
            here.listen(router.address(0)).close();
            router.server().drain(false);
            router.open("two").close();
        }
    }

    @Test
    void aTenantWhoseFolderOthersMayEnterIsShownWithWhy() throws IOException {
        router.view().put(new TenantRecord(new TenantId("open"), status("one").user(), router.view()
                .tenant(new TenantId("one")).addresses(), Quota.DEFAULT, java.util.List.of(), false, 1), "here");
        Path own = Files.createDirectory(router.dir("open"));
        Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("rwxrwxr-x"));
        Waits.until("the folder to be looked at", () -> isShown("open"));
        assertTrue(status("open").unserved().contains("must be 2770"), () -> status("open").toString());
    }

    private boolean isShown(String name) {
        return status().tenants().stream().anyMatch(one -> one.id().name().equals(name));
    }
}
