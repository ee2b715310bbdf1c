package org.jvrpc.hdfs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.testing.ChildJvm;
import org.jvrpc.testing.JavaCommand;
import org.jvrpc.testing.Waits;

/**
 * Two NameNodes in processes of their own, which are killed in turns while clients create and rename files: none of
 * these calls may be repeated by chance, and each is executed exactly once, whichever NameNode answers it.
 */
class HaProcessTest {

    private static final int THREADS = 4;

    @TempDir
    private Path folder;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Node[] nodes = new Node[2];
    private final AtomicBoolean stopping = new AtomicBoolean();
    private final AtomicInteger done = new AtomicInteger();

    /** A NameNode's process, and those that come after it with its name and port. */
    private final class Node {

        private final String name;
        private final int port;
        private ChildJvm process;

        Node(String name, int port) {
            this.name = name;
            this.port = port;
        }

        void start() {
            process = JavaCommand.of(HaNameNode.class).option("-XX:+UseSerialGC").arguments(folder.toString(), name,
                    Integer.toString(nodes[0].port), Integer.toString(nodes[1].port)).start();
        }

        void awaitReady() {
            process.expect(HaNameNode.READY);
        }

        void becomeActive() {
            process.tell("active");
            process.expect("is active");
        }

        int connections() {
            process.tell("connections");
            return Integer.parseInt(process.expect("has "));
        }

        /** Has it die when the next call of a name is durable, and before it is answered. */
        void dieIn(String command) {
            process.tell("die " + command);
            process.exitStatus();
        }
    }

    @AfterEach
    void stop() {
        stopping.set(true);
        for (Node node : nodes) {
            if (node != null && node.process != null) {
                node.process.close();
            }
        }
        threads.shutdownNow();
    }

    private void startNodes() throws IOException {
        HaNameNode.format(folder);
        int[] ports = freePorts();
        for (int i = 0; i < nodes.length; i++) {
            nodes[i] = new Node(HaNameNode.NAMES[i], ports[i]);
        }
        for (Node node : nodes) {
            node.start();
        }
        for (Node node : nodes) {
            node.awaitReady();
        }
        nodes[0].becomeActive();
    }

    private static int[] freePorts() throws IOException {
        try (ServerSocket first = new ServerSocket(0); ServerSocket second = new ServerSocket(0)) {
            return new int[] {first.getLocalPort(), second.getLocalPort()};
        }
    }

    private Configuration conf() {
        Configuration conf = Cluster.conf();
        conf.set("fs.defaultFS", "hdfs://ns");
        conf.set("dfs.nameservices", "ns");
        conf.set("dfs.ha.namenodes.ns", String.join(",", HaNameNode.NAMES));
        for (Node node : nodes) {
            conf.set("dfs.namenode.rpc-address.ns." + node.name, "127.0.0.1:" + node.port);
        }
        conf.set("dfs.client.failover.proxy.provider.ns", ConfiguredFailoverProxyProvider.class.getName());
        conf.setInt("dfs.client.failover.max.attempts", 1000);
        conf.setInt("dfs.client.failover.sleep.base.millis", 20);
        conf.setInt("dfs.client.failover.sleep.max.millis", 200);
        return conf;
    }

    /** Creates files and renames them, each once; a call that was executed twice throws. */
    private int work(DistributedFileSystem files, String own) throws IOException {
        int count = 0;
        while (!stopping.get()) {
            org.apache.hadoop.fs.Path made = new org.apache.hadoop.fs.Path(own, "made-" + count);
            files.create(made, false).close();
            files.rename(made, new org.apache.hadoop.fs.Path(own, "kept-" + count), Options.Rename.NONE);
            count++;
            done.incrementAndGet();
        }
        return count;
    }

    private void awaitWork(int more) {
        int before = done.get();
        Waits.until("work that goes on", () -> done.get() > before + more, () -> done.get() - before);
    }

    @Test
    @Timeout(300)
    void createAndRenameAreExecutedOnceWhenNameNodesAreKilled() throws Exception {
        startNodes();
        try (DistributedFileSystem files =
                (DistributedFileSystem) FileSystem.newInstance(URI.create("hdfs://ns"), conf())) {
            List<Future<Integer>> workers = new ArrayList<>();
            for (int t = 0; t < THREADS; t++) {
                String own = "/worker-" + t;
                files.mkdirs(new org.apache.hadoop.fs.Path(own));
                workers.add(threads.submit(() -> work(files, own)));
            }
            awaitWork(20);
            assertEquals(0, nodes[0].connections(), "clients that do not use jvRPC");
            nodes[0].dieIn("rename");
            moveTo(nodes[1]);
            nodes[0].start();
            nodes[0].awaitReady();
            awaitWork(20);
            nodes[1].dieIn("create");
            moveTo(nodes[0]);
            nodes[1].start();
            nodes[1].awaitReady();
            awaitWork(20);
            nodes[0].process.kill(); // at any moment
            moveTo(nodes[1]);
            stopping.set(true);
            for (int t = 0; t < THREADS; t++) {
                int count = workers.get(t).get(60, TimeUnit.SECONDS);
                assertEquals(expected(count), names(files, "/worker-" + t));
            }
            System.out.println("files=" + done.get());
        }
    }

    private void moveTo(Node node) {
        node.becomeActive();
        awaitWork(20);
    }

    private static Set<String> expected(int count) {
        Set<String> names = new TreeSet<>();
        for (int i = 0; i < count; i++) {
            names.add("kept-" + i);
        }
        return names;
    }

    private static Set<String> names(FileSystem files, String folder) throws IOException {
        Set<String> names = new TreeSet<>();
        for (FileStatus status : files.listStatus(new org.apache.hadoop.fs.Path(folder))) {
            names.add(status.getPath().getName());
        }
        return names;
    }
}
