package org.jvrpc.zookeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.TestingServer;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs.Ids;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.resolve.NameResolver;
import org.jvrpc.runtime.resolve.Registration;
import org.jvrpc.runtime.resolve.ServerEntry;

/** Who may do what with znodes. */
@SuppressWarnings("try") // a resolver or server works by being there
final class AccessTest {

    private static final byte[] BYTES = {1};

    private static TestingServer zooKeeper;
    private static CuratorFramework stranger;

    @TempDir
    private Path folder;
    private final Heard heard = new Heard();

    @BeforeAll
    static void start() throws Exception {
        zooKeeper = Sessions.server(true);
        stranger = CuratorFrameworkFactory.newClient(zooKeeper.getConnectString(), new RetryOneTime(100));
        stranger.start();
    }

    @AfterAll
    static void end() throws Exception {
        stranger.close();
        zooKeeper.close();
    }

    private static String target(String base, String more) {
        return "zk://" + zooKeeper.getConnectString() + "/orders?session-timeout=2s&base=/" + base + more;
    }

    private String authFile(String text) throws IOException {
        return "&auth-file=" + Files.writeString(Files.createTempFile(folder, "auth", ""), text);
    }

    private static void assertForbidden(Executable what) {
        assertThrows(KeeperException.NoAuthException.class, what);
    }

    @Test
    void aServiceWithAPasswordIsItsCreatorsAlone() throws Exception {
        String auth = authFile("orders:secret\n");
        Registration a = Heard.register(target("own", auth), "a", "tcp://h:1");
        try (NameResolver known = Heard.resolve(target("own", auth), heard)) {
            heard.await("a");
            assertForbidden(() -> stranger.getData().forPath("/own/orders/a"));
            assertForbidden(() -> stranger.setData().forPath("/own/orders/a", BYTES));
            assertForbidden(() -> stranger.delete().forPath("/own/orders/a"));
            assertForbidden(() -> stranger.create().forPath("/own/orders/b", BYTES));
            assertForbidden(() -> stranger.setACL().withACL(Ids.OPEN_ACL_UNSAFE)
                    .forPath("/own/orders"));
            Heard unknown = new Heard();
            try (NameResolver other = Heard.resolve(target("own", ""), unknown)) {
                unknown.awaitErrors(1);
                assertEquals(Status.PERMISSION_DENIED, unknown.errors().get(0).status());
            }
            RpcException e = assertThrows(RpcException.class, () -> Heard.register(
                    target("own", authFile("orders:other")), "b", "tcp://h:2"));
            assertEquals(Status.PERMISSION_DENIED, e.status());
            assertFalse(e.getMessage().contains("secret") || e.getMessage().contains(":other"), e::getMessage);
        }
        a.leave();
    }

    @Test
    void aServiceThatAllMayReadIsChangedByItsCreatorAlone() throws Exception {
        String auth = authFile("orders:secret") + "&read=world";
        Registration a = Heard.register(target("read", auth), "a", "tcp://h:1");
        try (NameResolver other = Heard.resolve(target("read", ""), heard)) {
            heard.await("a");
            assertForbidden(() -> stranger.setData().forPath("/read/orders/a", BYTES));
            assertForbidden(() -> stranger.delete().forPath("/read/orders/a"));
            assertForbidden(() -> stranger.create().forPath("/read/orders/b", BYTES));
            Registration b = Heard.register(target("read", auth), "b", "tcp://h:2");
            heard.await("a", "b");
            b.leave();
            heard.await("a");
        }
        a.leave();
    }

    @Test
    void withoutAPasswordAServersZnodeCannotBeChanged() throws Exception {
        Registration a = Heard.register(target("open", ""), "a", "tcp://h:1");
        assertForbidden(() -> stranger.setData().forPath("/open/orders/a", BYTES));
        a.leave();
    }

    @Test
    void anotherServiceMayStandBesideOneWithAPassword() throws Exception {
        Registration a = Heard.register(target("beside", authFile("orders:secret")), "a", "tcp://h:1");
        Registration b = Heard.register(target("beside", authFile("quotes:x")).replace("/orders", "/quotes"), "b",
                "tcp://h:1");
        a.leave();
        b.leave();
    }

    @Test
    void aFileThatIsNoPasswordIsRefusedWithoutAWordOfIt() throws Exception {
        for (String text : new String[] {"", "hidden", ":hidden", "hidden:", "hidden:x\nhidden:y",
            "h:" + "i".repeat(2000)}) {
            RpcException e = assertThrows(RpcException.class, () -> new ZooKeeperRegistryProvider().register(
                    target("file", authFile(text)), ServerEntry.of("a", "tcp://h:1"),
                    Heard.context(Duration.ofSeconds(20))));
            assertEquals(Status.FAILED_PRECONDITION, e.status());
            assertFalse(e.getMessage().contains("hidden") || e.getMessage().contains("iii"), e::getMessage);
        }
        assertThrows(RpcException.class, () -> Heard.register(target("file", "&auth-file=/no/such/file"), "a",
                "tcp://h:1"));
    }

    @Test
    void theDigestAndNotThePasswordStandsInZooKeeper() throws Exception {
        Registration a = Heard.register(target("digest", authFile("orders:secret") + "&read=world"), "a", "tcp://h:1");
        String rules = stranger.getACL().forPath("/digest/orders").toString()
                + new String(stranger.getData().forPath("/digest/orders/a"), StandardCharsets.UTF_8);
        assertFalse(rules.contains("secret"), rules);
        a.leave();
    }
}
