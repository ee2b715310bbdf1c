package org.jvrpc.benchmarks.zookeeper;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.jvrpc.benchmarks.harness.ClientEnd;
import org.jvrpc.benchmarks.harness.Operation;
import org.jvrpc.benchmarks.harness.Pipeline;
import org.jvrpc.benchmarks.harness.Workload;

/** A process with two handles: one makes calls, by one or many threads, the other watches. */
public final class ZkClient implements ClientEnd {

    private static final int CONNECT_S = 20;
    private static final String ROOT = "/bench";
    private static final byte[] DATA = new byte[100];

    private final ZkTransport transport;
    private ZooKeeper caller;
    private ZooKeeper watcher;
    private int pipelines;

    /** A client. @param transport that it connects by */
    public ZkClient(ZkTransport transport) {
        this.transport = transport;
    }

    @Override
    public void connect(String address, int index) throws IOException, InterruptedException, KeeperException {
        caller = open(address);
        watcher = open(address);
        caller.create(ROOT, DATA, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
    }

    private ZooKeeper open(String address) throws IOException, InterruptedException {
        ZKClientConfig config = new ZKClientConfig();
        config.setProperty(ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET, transport.client());
        CountDownLatch connected = new CountDownLatch(1);
        ZooKeeper made = new ZooKeeper(address, ZkServer.SESSION_MS, event -> {
            if (event.getState() == KeeperState.SyncConnected) {
                connected.countDown();
            }
        }, false, config);
        if (!connected.await(CONNECT_S, TimeUnit.SECONDS)) {
            throw new IOException("no connection to " + address + " within s=" + CONNECT_S);
        }
        return made;
    }

    @Override
    public Operation operation(Workload workload) {
        return switch (ZkCall.of(workload)) {
            case EXISTS -> new Exists();
            case CREATE -> new Create();
            case SET -> new Set();
            case WATCH -> new Watch();
        };
    }

    private final class Exists extends Operation {
        @Override
        public void call() throws Exception {
            if (caller.exists(ROOT, false) == null) {
                throw new IllegalStateException("the node is gone");
            }
        }
    }

    private final class Create extends Operation {

        private int number;
        private String path;

        @Override
        public void before() {
            path = ROOT + "/node" + number++;
        }

        @Override
        public void call() throws Exception {
            caller.create(path, DATA, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        }

        @Override
        public void after() throws Exception {
            caller.delete(path, -1);
        }
    }

    private final class Set extends Operation {
        @Override
        public void call() throws Exception {
            caller.setData(ROOT, DATA, -1);
        }
    }

    /** One handle sets, the other's watch tells; timed until the watcher's thread has told the caller's. */
    private final class Watch extends Operation {

        private CountDownLatch told;

        @Override
        public void before() throws Exception {
            CountDownLatch next = new CountDownLatch(1);
            told = next;
            watcher.getData(ROOT, event -> next.countDown(), null);
        }

        @Override
        public void call() throws Exception {
            caller.setData(ROOT, DATA, -1);
            if (!told.await(CONNECT_S, TimeUnit.SECONDS)) {
                throw new IllegalStateException("no event within s=" + CONNECT_S);
            }
        }
    }

    @Override
    public synchronized Pipeline pipeline() throws Exception {
        return new ZkPipeline(caller, ROOT, "/own" + pipelines++);
    }

    @Override
    public void close() throws IOException {
        try {
            caller.close();
            watcher.close();
        } catch (InterruptedException e) {
            throw new IOException("interrupted", e);
        }
    }
}
