package org.jvrpc.hdfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.server.namenode.NameNodeRpcServer;
import org.apache.hadoop.hdfs.util.RwLock;
import org.apache.hadoop.hdfs.util.RwLockMode;
import org.apache.hadoop.ipc.FairCallQueue;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.testing.Waits;

/** A NameNode that is busy: its handlers are taken, its call queue is full, a writer has its lock. */
class QueueTest {

    private static final int THREADS = 12;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private MiniDFSCluster cluster;
    private Configuration conf;

    @AfterEach
    void stop() {
        BlockingAudit.release();
        threads.shutdownNow();
        cluster.shutdown(true);
    }

    private void start(Configuration with) throws IOException {
        conf = with;
        conf.set("dfs.namenode.audit.loggers", BlockingAudit.class.getName());
        cluster = Cluster.builder(conf).numDataNodes(0).build();
        BlockingAudit.block();
    }

    private static Configuration oneHandler(String queue) {
        Configuration conf = Cluster.conf();
        conf.setInt("dfs.namenode.handler.count", 1);
        conf.setInt("ipc.server.handler.queue.size", queue.equals(FairCallQueue.class.getName()) ? 4 : 1);
        conf.set("ipc.callqueue.impl", queue);
        return conf;
    }

    private NameNodeServer server() {
        return (NameNodeServer) ((NameNodeRpcServer) cluster.getNameNodeRpc()).getClientRpcServer();
    }

    private ClientProtocol protocol(String user) throws IOException {
        return Proxies.protocol(Proxies.jvrpc(
                cluster.getNameNode().getNameNodeAddress(), UserGroupInformation.createRemoteUser(user), conf));
    }

    /** Has some folders made, each by a call of its own, whose handlers stay in it. */
    private List<Future<Boolean>> makeFolders(ClientProtocol protocol, int from, int to) {
        List<Future<Boolean>> results = new ArrayList<>();
        for (int i = from; i < to; i++) {
            String path = "/blocked-" + i;
            results.add(threads.submit(() -> protocol.mkdirs(path, FsPermission.getDirDefault(), true)));
        }
        return results;
    }

    /** Has some folders made, once the first call has the one handler and the second its place in the queue. */
    private List<Future<Boolean>> fill(ClientProtocol protocol) {
        List<Future<Boolean>> results = makeFolders(protocol, 0, 1);
        Waits.until("the one handler to be taken", () -> BlockingAudit.held() == 1, this::seen);
        results.addAll(makeFolders(protocol, 1, 2));
        Waits.until("the queue to be full", () -> server().getCallQueueLen() == 1, this::seen);
        results.addAll(makeFolders(protocol, 2, THREADS));
        return results;
    }

    /** A light call passes those that wait, except while a thread of the NameNode's own has the lock. */
    private static boolean passes(RawClient raw, long login) {
        try {
            raw.lightOnly(login);
            return true;
        } catch (LockedException e) {
            return false;
        } catch (Exception e) {
            throw new AssertionError("a light call failed", e);
        }
    }

    private String seen() {
        return "in the queue=" + server().getCallQueueLen() + " waiting=" + server().door().waitingCalls();
    }

    @ParameterizedTest
    @ValueSource(strings = {"java.util.concurrent.LinkedBlockingQueue", "org.apache.hadoop.ipc.FairCallQueue"})
    void callsWaitForRoomInTheQueueAndLightOnesAndLoginsPassThem(String queue) throws Exception {
        start(oneHandler(queue));
        ClientProtocol protocol = protocol(System.getProperty("user.name"));
        List<Future<Boolean>> results = makeFolders(protocol, 0, THREADS);
        Waits.until("the one handler to have left the lock", () -> BlockingAudit.held() == 1, this::seen);
        Waits.until("a call that waits", () -> server().door().waitingCalls() > 0 // a user has a part of a fair one
                && server().getCallQueueLen() + server().door().waitingCalls() == THREADS - 1, this::seen);
        try (RawClient raw = new RawClient(cluster)) {
            for (int i = 0; i < 9; i++) { // more than there were threads for whatever may wait
                long login = raw.login("other-" + i, null, new byte[16]);
                Waits.until("a light call to pass", () -> passes(raw, login), this::seen);
            }
        }
        BlockingAudit.release();
        for (Future<Boolean> result : results) {
            assertTrue(result.get(30, TimeUnit.SECONDS));
        }
        assertEquals(THREADS, protocol.getListing("/", new byte[0], false).getPartialListing().length);
        Waits.until("the end of the last", () -> server().door().waitingCalls() == 0, this::seen);
    }

    @Test
    void callsThatAreTooManyAreToldToComeBack() throws Exception {
        Configuration few = oneHandler("java.util.concurrent.LinkedBlockingQueue");
        few.setInt(HdfsSettings.WAITING_CALLS, 3);
        start(few);
        ClientProtocol protocol = protocol(System.getProperty("user.name"));
        List<Future<Boolean>> results = fill(protocol);
        Waits.until("an answer to those that are too many",
                () -> results.stream().filter(Future::isDone).count() == THREADS - 5, this::seen);
        BlockingAudit.release();
        int refused = 0;
        for (Future<Boolean> result : results) {
            try {
                assertTrue(result.get(30, TimeUnit.SECONDS));
            } catch (ExecutionException e) {
                RemoteException remote = assertInstanceOf(RemoteException.class, e.getCause());
                assertEquals(RetriableException.class.getName(), remote.getClassName());
                refused++;
            }
        }
        assertEquals(THREADS - 5, refused); // one has the handler, one its place in the queue, three wait
    }

    @Test
    void aRequestThatIsLongerThanAllMayBeWaitsAlone() throws Exception {
        Configuration few = oneHandler("java.util.concurrent.LinkedBlockingQueue");
        few.setInt(HdfsSettings.WAITING_BYTES, 1);
        start(few);
        ClientProtocol protocol = protocol(System.getProperty("user.name"));
        List<Future<Boolean>> results = fill(protocol);
        Waits.until("an answer to those that are too many",
                () -> results.stream().filter(Future::isDone).count() == THREADS - 3, this::seen);
        assertEquals(1, server().door().waitingCalls());
    }

    @Test
    void moreCallsThanSixtyFourOfAProcessAreUnderWay() throws Exception {
        start(oneHandler("java.util.concurrent.LinkedBlockingQueue"));
        List<Future<Boolean>> results = makeFolders(protocol(System.getProperty("user.name")), 0, 200);
        Waits.until("200 calls", () -> server().getCallQueueLen() + server().door().waitingCalls() == 199, this::seen);
        BlockingAudit.release();
        for (Future<Boolean> result : results) {
            assertTrue(result.get(30, TimeUnit.SECONDS));
        }
    }

    @Test
    void whileAWriterHasTheLockReadsWaitSideBySideAndTheQueueIsOpen() throws Exception {
        start(Cluster.conf());
        ClientProtocol protocol = protocol(System.getProperty("user.name"));
        assertNotNull(protocol.getFileInfo("/"));
        List<Future<?>> reads = new ArrayList<>();
        RwLock namesystem = cluster.getNamesystem();
        try (RawClient raw = new RawClient(cluster)) {
            namesystem.writeLock(RwLockMode.GLOBAL);
            try {
                for (int i = 0; i < 5; i++) {
                    reads.add(threads.submit(() -> protocol.getFileInfo("/")));
                }
                Waits.until("five readers in line", () -> cluster.getNamesystem().getFsLockQueueLength() >= 5,
                        () -> cluster.getNamesystem().getFsLockQueueLength());
                int before = cluster.getNamesystem().getFsLockQueueLength(); // the NameNode waits there, too
                long login = raw.login("other", null, new byte[16]);
                assertThrows(LockedException.class, () -> raw.lightOnly(login));
                reads.add(threads.submit(() -> {
                    raw.queued(login);
                    return null;
                }));
                Waits.until("one reader more", () -> cluster.getNamesystem().getFsLockQueueLength() > before,
                        () -> cluster.getNamesystem().getFsLockQueueLength());
            } finally {
                namesystem.writeUnlock(RwLockMode.GLOBAL, "test");
            }
            for (Future<?> read : reads) {
                read.get(30, TimeUnit.SECONDS);
            }
        }
    }
}
