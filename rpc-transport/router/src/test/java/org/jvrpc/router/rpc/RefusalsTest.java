package org.jvrpc.router.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.router.Quota;
import org.jvrpc.router.QuotaKind;
import org.jvrpc.router.RouterOfTwo;
import org.jvrpc.router.RouterServer;
import org.jvrpc.router.TestRouter;
import org.jvrpc.router.VirtualAddress;
import org.jvrpc.router.command.Sessions;
import org.jvrpc.router.map.Home;
import org.jvrpc.router.map.Rule;
import org.jvrpc.router.map.TenantRecord;
import org.jvrpc.router.tenant.Tokens;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.softrnic.router.wire.ControlFrame;
import org.jvrpc.softrnic.router.wire.FrameReader;
import org.jvrpc.softrnic.router.wire.FrameWriter;
import org.jvrpc.softrnic.router.wire.Hello;
import org.jvrpc.softrnic.router.wire.Refused;
import org.jvrpc.testing.Waits;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.VerbsException;

/** What callers are told when a router refuses, or is not there: by a status, with the values. */
class RefusalsTest extends RouterOfTwo {

    private static final Duration SOON = Duration.ofMillis(200);

    private RpcServer serve() {
        return serve(router.address(0));
    }

    private RpcServer serve(String address) {
        return RpcServer.builder().bind(address + "?dir=" + router.dir("one"))
                .service(Sums.class, (a, b) -> a + b).start();
    }

    /** Returns how the second tenant reaches a server of the first. */
    private RpcClient.Builder client(String address) {
        String bare = address.replaceFirst("[?].*", "");
        return RpcClient.builder(bare + "?dir=" + router.dir("two"));
    }

    private static void assertRefused(Status status, RpcClient.Builder client, String... said) {
        RpcException e = assertThrows(RpcException.class, () -> client.connect().close());
        assertEquals(status, e.status(), e::toString);
        for (String part : said) {
            assertTrue(e.getMessage().contains(part), () -> part + " is not in: " + e.getMessage());
        }
    }

    private Sessions.Counts counts() {
        try {
            return router.server().counts();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private TenantRecord second(Quota quota) {
        TenantRecord now = router.view().tenant(TWO);
        return new TenantRecord(TWO, now.user(), now.addresses(), quota, now.tokens(), false, 2);
    }

    @Test
    void whomNoRuleAllowsIsDeniedPermission() {
        try (RpcServer server = serve()) {
            router.view().apply(new Rule(ONE, TWO, 0, 0xffff, true)); // the other way
            assertRefused(Status.PERMISSION_DENIED, client(server.address()), "POLICY", "one", "two");
        }
    }

    /** Returns the usual quota, but for one kind. */
    private static Quota but(QuotaKind kind, int most) {
        Quota usual = Quota.DEFAULT;
        return new Quota(kind == QuotaKind.DEVICES ? most : usual.devices(), kind == QuotaKind.QPS ? most : usual.qps(),
                kind == QuotaKind.CQS ? most : usual.cqs(), kind == QuotaKind.REGIONS ? most : usual.regions(),
                kind == QuotaKind.BYTES ? most : usual.bytes(),
                kind == QuotaKind.CONNECTIONS ? most : usual.connections(),
                kind == QuotaKind.LISTENERS ? most : usual.listeners(), 0, 0, 0, usual.weight());
    }

    @ParameterizedTest
    @EnumSource(value = QuotaKind.class, names = {"DEVICES", "QPS", "CQS", "REGIONS", "BYTES", "CONNECTIONS"})
    void aQuotaThatIsSpentIsNamedWithWhoseItIsAndHowMuch(QuotaKind kind) {
        try (RpcServer server = serve()) {
            router.view().put(second(but(kind, kind == QuotaKind.BYTES ? 50_000 : 0)), TestRouter.HOST);
            assertRefused(Status.RESOURCE_EXHAUSTED, client(server.address()), "tenant=two", "quota=" + kind, "has=",
                    "wants=", "limit=" + (kind == QuotaKind.BYTES ? "50000" : "0"));
            router.view().put(second(Quota.DEFAULT), TestRouter.HOST);
            try (RpcClient client = client(server.address()).connect()) {
                assertEquals(5, client.stub(Sums.class).add(2, 3));
            }
        }
        Waits.until("all to be given back", () -> counts().devices() == 0);
    }

    @Test
    void aListenerBeyondTheQuotaIsRefusedToItsServer() {
        router.view().put(second(but(QuotaKind.LISTENERS, 0)), TestRouter.HOST);
        VerbsException e = assertThrows(VerbsException.class, () -> RpcServer.builder()
                .bind(router.address(1) + "?dir=" + router.dir("two")).service(Sums.class, (a, b) -> a).start());
        assertEquals(VerbsException.Why.QUOTA, e.why());
        assertTrue(e.getMessage().contains("tenant=two quota=LISTENERS has=0 wants=1 limit=0"), e.getMessage());
    }

    @Test
    void memoryThatAProgramBringsCountsInItsTenantsQuota() {
        router.view().put(second(but(QuotaKind.BYTES, 1 << 20)), TestRouter.HOST);
        try (Device device = router.open("two"); ProtectionDomain pd = device.allocatePd()) {
            ByteBuffer memory = ByteBuffer.allocateDirect(600_000);
            for (int i = 0; i < 50; i++) {
                pd.register(memory, Access.LOCAL_WRITE).close(); // is given back, or used again
            }
            try (var first = pd.register(memory, 0)) {
                VerbsException e = assertThrows(VerbsException.class, () -> pd.register(memory, 0));
                assertEquals(VerbsException.Why.QUOTA, e.why());
                assertTrue(e.getMessage().contains("tenant=two quota=BYTES"), e.getMessage());
                assertEquals(600_000, first.length());
            }
        }
    }

    @Test
    void anAddressOfNobodyIsUnavailableAfterAWhile() {
        assertRefused(Status.UNAVAILABLE, client("router://10.99.0.1:7000"), "UNKNOWN_ADDRESS", "10.99.0.1");
    }

    @Test
    void anAddressThatLivesWhereNoWayLeadsIsUnavailableWithItsHost() {
        router.view().put(router.view().tenant(ONE), "elsewhere");
        assertRefused(Status.UNAVAILABLE, client("router://10.77.0.1:7000"), "10.77.0.1", "host=elsewhere");
    }

    @Test
    void aPortAtWhichNobodyListensIsUnavailable() {
        assertRefused(Status.UNAVAILABLE, client("router://10.77.0.1:7000"), "NOBODY_LISTENS", "10.77.0.1", "7000");
    }

    @Test
    void whoAsksForAnAddressThatMovesWaitsForItAndIsAnsweredWhenItHasCome() {
        VirtualAddress moving = new VirtualAddress("10.77.0.1");
        String address = router.address(0);
        router.view().put(new Home(moving, ONE, "elsewhere", 2, Home.State.MOVING));
        assertRefused(Status.UNAVAILABLE, client(address).connectTimeout(SOON), "10.77.0.1", "did not answer");
        CompletableFuture<RpcClient> asking = CompletableFuture.supplyAsync(() ->
                client(address).connectTimeout(Duration.ofNanos(Waits.limitNs())).connect());
        Waits.until("the connector to wait at the router", () -> counts().asking() == 1);
        router.view().put(new Home(moving, ONE, TestRouter.HOST, 3, Home.State.SERVING));
        try (RpcServer server = serve(address);
                RpcClient client = asking.orTimeout(Waits.limitNs(), TimeUnit.NANOSECONDS).join()) {
            assertEquals(7, client.stub(Sums.class).add(3, 4));
            assertTrue(server.address().startsWith(address));
        }
    }

    @Test
    void aTokenOfAnotherTenantIsUnauthenticated() throws IOException {
        Files.copy(router.dir("one").resolve("token"), router.dir("two").resolve("token"),
                StandardCopyOption.REPLACE_EXISTING);
        assertRefused(Status.UNAUTHENTICATED, client("router://10.77.0.1:7000"), "TOKEN_WRONG", "tenant=two");
    }

    @Test
    void aTokenThatIsTooOldIsUnauthenticated() throws IOException {
        Tokens.Made old = Tokens.make(new SecureRandom(), "old", 1);
        Files.writeString(router.dir("two").resolve("token"), old.token());
        TenantRecord now = router.view().tenant(TWO);
        router.view().put(new TenantRecord(TWO, now.user(), now.addresses(), now.quota(), List.of(old.hash()), false,
                2), TestRouter.HOST);
        assertRefused(Status.UNAUTHENTICATED, client("router://10.77.0.1:7000"), "TOKEN_EXPIRED", "tenant=two",
                "token=old");
    }

    @Test
    void aFolderWithoutARouterIsUnavailable() throws IOException {
        Path empty = Files.createDirectory(folder.resolve("empty"));
        assertRefused(Status.UNAVAILABLE, RpcClient.builder("router://10.77.0.1:7000?dir=" + empty), "no router at",
                empty.toString());
    }

    @Test
    void aDeviceOfALaterVersionIsToldBothVersions() throws IOException {
        try (SocketChannel socket = SocketChannel.open(UnixDomainSocketAddress.of(router.dir("two").resolve("s")))) {
            new FrameWriter(socket, () -> { }).write(new Hello(3, 4, 0, "d-1-1", new byte[0]).frame(1));
            Refused refused = Refused.decode(new FrameReader().read(socket));
            assertEquals(Refused.VERSION, refused.reason());
            assertTrue(refused.message().contains("versions=3 to 4, router version=2"), refused.message());
        }
    }

    @Test
    void aRouterOfAnotherVersionIsAFailedPrecondition() throws Exception {
        Path other = Files.createDirectory(folder.resolve("other"));
        try (ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            listener.bind(UnixDomainSocketAddress.of(other.resolve("s")));
            CompletableFuture<Void> answering = CompletableFuture.runAsync(() -> refuse(listener));
            assertRefused(Status.FAILED_PRECONDITION, RpcClient.builder("router://10.77.0.1:7000?dir=" + other),
                    "VERSION: device speaks 2, router 3");
            answering.orTimeout(Waits.limitNs(), TimeUnit.NANOSECONDS).join();
        }
    }

    private static void refuse(ServerSocketChannel listener) {
        try (SocketChannel socket = listener.accept()) {
            ControlFrame hello = new FrameReader().read(socket);
            new FrameWriter(socket, () -> { }).write(new Refused(Refused.VERSION,
                    "VERSION: device speaks 2, router 3").frame(hello.id(), 0));
            new FrameReader().read(socket); // until it has gone
        } catch (IOException e) {
            return; // the end that was waited for
        }
    }

    @Test
    void callsOfAClientWhoseRouterIsGoneAreUnavailableAndGoOnWhenThereIsAnother() throws Exception {
        try (RpcServer server = serve(); RpcClient client = client(server.address()).connect()) {
            Sums sums = client.stub(Sums.class);
            assertEquals(3, sums.add(1, 2));
            router.server().close();
            Waits.until("calls to be refused", () -> status(sums) == Status.UNAVAILABLE);
            try (RouterServer second = router.again()) {
                Waits.until("calls to be answered again", () -> {
                    Status status = status(sums);
                    assertTrue(status == Status.OK || status == Status.UNAVAILABLE, () -> "call ended with " + status);
                    return status == Status.OK;
                });
                assertEquals(2, second.counts().devices());
            }
        }
    }

    private static Status status(Sums sums) {
        try {
            return sums.add(20, 3) == 23 ? Status.OK : Status.DATA_LOSS;
        } catch (RpcException e) {
            return e.status();
        }
    }
}
