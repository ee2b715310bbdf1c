package org.jvrpc.router;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.router.command.Sessions;
import org.jvrpc.router.map.Rule;
import org.jvrpc.router.map.TenantRecord;
import org.jvrpc.testing.Waits;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.ConnectionException;
import org.jvrpc.verbs.Listener;
import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.WcStatus;

/** A router with two tenants, whose devices are in this process: from their sockets to the completion at the other. */
final class RouterServerTest extends RouterOfTwo {

    @BeforeEach
    void letOneReachTwoAlone() {
        router.view().apply(new Rule(ONE, TWO, 0, 65535, true));
    }

    /** Connects a device of the first tenant to one of the second. */
    private static void connect(TenantEnd from, TenantEnd to, String address) {
        Listener listener = to.listen(address);
        CompletableFuture<Connection> connector = CompletableFuture.supplyAsync(() -> from.connect(address));
        to.accept(listener);
        connector.orTimeout(Waits.limitNs(), TimeUnit.NANOSECONDS).join();
    }

    @Test
    void aMessageOfOneTenantReachesTheOther() {
        try (TenantEnd from = new TenantEnd(router.open("one")); TenantEnd to = new TenantEnd(router.open("two"))) {
            to.receive(64, 100);
            connect(from, to, router.address(1));
            byte[] sent = "a message that is too long for a completion of a queue of 64 bytes".getBytes();
            from.mr.buffer(0, sent.length).put(0, sent);
            from.send(0, sent.length);
            assertEquals(WcStatus.SUCCESS, from.completion());
            assertEquals(WcStatus.SUCCESS, to.completion());
            byte[] received = new byte[sent.length];
            to.mr.buffer(64, sent.length).get(0, received);
            assertEquals(new String(sent), new String(received));
        }
    }

    @Test
    void aTenantThatNoRuleAllowsIsRefused() {
        router.view().apply();
        try (TenantEnd from = new TenantEnd(router.open("one")); TenantEnd to = new TenantEnd(router.open("two"))) {
            String address = router.address(1);
            to.listen(address);
            ConnectionException e = assertThrows(ConnectionException.class, () -> from.connect(address));
            assertTrue(e.getMessage().contains("POLICY"), e.getMessage());
        }
    }

    @Test
    void aRuleThatGoesEndsConnections() {
        try (TenantEnd from = new TenantEnd(router.open("one")); TenantEnd to = new TenantEnd(router.open("two"))) {
            connect(from, to, router.address(1));
            router.view().apply();
            Waits.until("both ends to be in ERR",
                    () -> from.qp.state() == QueuePairState.ERR && to.qp.state() == QueuePairState.ERR);
        }
    }

    @Test
    void aTenantThatIsRevokedIsCutOffAndComesNoMore() {
        try (TenantEnd from = new TenantEnd(router.open("one")); TenantEnd to = new TenantEnd(router.open("two"))) {
            connect(from, to, router.address(1));
            TenantRecord one = router.view().tenant(ONE);
            router.view().put(new TenantRecord(ONE, one.user(), one.addresses(), one.quota(), one.tokens(), true, 2),
                    TestRouter.HOST);
            Waits.until("both ends to be in ERR",
                    () -> from.qp.state() == QueuePairState.ERR && to.qp.state() == QueuePairState.ERR);
            assertThrows(VerbsException.class, () -> router.open("one"));
            router.open("two").close();
        }
    }

    @Test
    void aWrongTokenIsRefused() throws IOException {
        Path token = router.dir("one").resolve("token");
        Files.copy(router.dir("two").resolve("token"), token, StandardCopyOption.REPLACE_EXISTING);
        VerbsException e = assertThrows(VerbsException.class, () -> router.open("one"));
        assertTrue(e.getMessage().contains("TOKEN_WRONG"), e.getMessage());
    }

    @Test
    void aSecondRouterInTheFolderIsRefused() {
        RefusedException e = assertThrows(RefusedException.class, () -> RouterServer.start(
                new RouterServer.Settings(folder, "there", true, true, true), new FixedView(),
                (tenant, what, refusal, detail) -> { }));
        assertEquals(Refusal.BUSY, e.refusal());
        assertTrue(e.getMessage().contains("pid=" + ProcessHandle.current().pid()), e.getMessage());
    }

    @Test
    void aRouterThatEndsLeavesItsTenantsQpsInErr() {
        try (TenantEnd from = new TenantEnd(router.open("one")); TenantEnd to = new TenantEnd(router.open("two"))) {
            connect(from, to, router.address(1));
            router.close();
            Waits.until("both ends to be in ERR",
                    () -> from.qp.state() == QueuePairState.ERR && to.qp.state() == QueuePairState.ERR);
        }
    }

    @Test
    void whatTenantsHadIsGivenBackWhenTheyLeave() throws IOException {
        try (TenantEnd from = new TenantEnd(router.open("one")); TenantEnd to = new TenantEnd(router.open("two"))) {
            connect(from, to, router.address(1));
            assertEquals(2, router.server().counts().devices());
            assertEquals(1, router.server().counts().connections());
        }
        Waits.until("the sessions to end", () -> isEmpty());
        assertFalse(Files.list(router.dir("one")).map(Path::getFileName).map(Path::toString)
                .anyMatch(name -> name.startsWith("d-")), "a device's folder is left");
    }

    private boolean isEmpty() {
        try {
            return router.server().counts().equals(new Sessions.Counts(0, 0, 0, 0));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aTenantThatComesLaterIsListenedFor() throws IOException {
        TenantId later = new TenantId("later");
        router.prepare(later, List.of(new VirtualAddress("10.77.0.9")));
        Waits.until("its socket", () -> Files.exists(router.dir("later").resolve("s")));
        router.open("later").close();
    }
}
