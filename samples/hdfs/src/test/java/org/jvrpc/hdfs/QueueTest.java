package org.jvrpc.hdfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.ipc.FairCallQueue;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A NameNode with one handler and a call queue of one place. */
class QueueTest {

    private static final int THREADS = 12;
    private static final int CALLS = 20;

    @ParameterizedTest
    @ValueSource(strings = {"java.util.concurrent.LinkedBlockingQueue", "org.apache.hadoop.ipc.FairCallQueue"})
    void callsWaitForRoomInTheQueueAndLightOnesPassThem(String queue) throws Exception {
        Configuration conf = Cluster.conf();
        conf.setInt("dfs.namenode.handler.count", 1);
        conf.setInt("ipc.server.handler.queue.size", queue.equals(FairCallQueue.class.getName()) ? 4 : 1);
        conf.set("ipc.callqueue.impl", queue);
        try (MiniDFSCluster cluster = Cluster.builder(conf).numDataNodes(0).build()) {
            DistributedFileSystem files = cluster.getFileSystem();
            ExecutorService threads = Executors.newFixedThreadPool(THREADS);
            List<Future<?>> results = new ArrayList<>();
            for (int t = 0; t < THREADS; t++) {
                String folder = "/queue/" + t;
                results.add(threads.submit(() -> work(files, folder)));
            }
            for (Future<?> result : results) {
                result.get(60, TimeUnit.SECONDS);
            }
            threads.shutdown();
            assertEquals(THREADS, files.listStatus(new Path("/queue")).length);
        }
    }

    private static Void work(DistributedFileSystem files, String folder) throws IOException {
        for (int i = 0; i < CALLS; i++) {
            Path path = new Path(folder, Integer.toString(i));
            assertTrue(files.mkdirs(path));
            assertTrue(files.exists(path));
            assertTrue(files.delete(path, true));
            assertFalse(files.exists(path));
        }
        return null;
    }
}
