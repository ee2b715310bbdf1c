package org.jvrpc.watch.registry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.jvrpc.testing.Waits;
import org.jvrpc.watch.AgentInfo;

/** ZooKeeper goes and comes back; agents go. */
class ZooKeeperRegistryTest {

    private static final String PATH = "/jvrpc/pingmesh";
    private static final int SESSION_MS = 2_000;
    private static final int TICK_MS = 500;

    private static AgentInfo agent(int id) {
        return new AgentInfo(id, "h" + id, "r1", "p1", new byte[] {1, (byte) id}, 1, -5L - id);
    }

    private static List<Integer> ids(ZooKeeperRegistry of) {
        return of.agents().stream().map(AgentInfo::id).sorted().toList();
    }

    private static void await(ZooKeeperRegistry of, Integer... ids) {
        Waits.until("agents", () -> ids(of).equals(List.of(ids)), () -> ids(of) + " " + of.trouble());
    }

    private static ZooKeeperRegistry open(TestingServer at, AgentInfo self) {
        return ZooKeeperRegistry.open(at.getConnectString(), PATH, self, SESSION_MS);
    }

    /** One that takes short sessions. */
    private static TestingServer server() throws Exception {
        return new TestingServer(new InstanceSpec(null, InstanceSpec.getRandomPort(), -1, -1, true, -1, TICK_MS, 100),
                true);
    }

    @Test
    void theListStaysWhileZooKeeperIsGoneAndGoesOnWhenItIsBack() throws Exception {
        try (TestingServer server = server();
                ZooKeeperRegistry a = open(server, agent(1));
                ZooKeeperRegistry b = open(server, agent(2))) {
            await(a, 1, 2);
            await(b, 1, 2);
            ZooKeeperRegistry leaves = open(server, agent(3));
            await(a, 1, 2, 3);
            leaves.close();
            await(a, 1, 2);
            server.stop();
            Waits.until("trouble", () -> a.trouble() != null && b.trouble() != null);
            assertTrue(a.trouble().contains(server.getConnectString()), a.trouble());
            assertEquals(List.of(1, 2), ids(a));
            try (ZooKeeperRegistry c = open(server, agent(3))) {
                assertTrue(c.trouble().contains("not reached"), c.trouble());
                server.restart();
                await(a, 1, 2, 3);
                await(b, 1, 2, 3);
                await(c, 1, 2, 3);
                Waits.until("no trouble", () -> a.trouble() == null);
            }
        }
    }

    @Test
    void aZnodeThatIsNoAgentIsNamedAndTheOthersHold() throws Exception {
        try (TestingServer server = server();
                CuratorFramework other =
                        CuratorFrameworkFactory.newClient(server.getConnectString(), new RetryOneTime(100))) {
            other.start();
            other.create().creatingParentsIfNeeded().forPath(PATH + "/evil", new byte[5000]);
            other.create().forPath(PATH + "/odd", "id=1 color=red".getBytes());
            try (ZooKeeperRegistry a = open(server, agent(1))) {
                await(a, 1);
                assertTrue(a.trouble().contains(PATH + "/evil: an agent has at most 4096 bytes"), a.trouble());
                other.delete().forPath(PATH + "/evil");
                Waits.until("the other one", () -> a.trouble().contains(PATH + "/odd: unknown: color"));
                other.delete().forPath(PATH + "/odd");
                Waits.until("no trouble", () -> a.trouble() == null);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"host,/x,1000", "host:1,x,1000", "host:1,/,1000", "host:1,/x,5", "'',/x,1000"})
    void whatCannotBeAnEnsembleIsRefused(String ensemble, String path, int sessionMs) {
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class,
                () -> ZooKeeperRegistry.open(ensemble, path, null, sessionMs));
        assertTrue(e.getMessage().contains("sessionMs=" + sessionMs), e::getMessage);
    }
}
