package org.jvrpc.hdfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A NameNode's process that is killed, stopped, and started again. */
class CrashTest {

    @TempDir
    private Path folder;

    private static Configuration conf() {
        Configuration conf = Cluster.conf();
        conf.setInt("ipc.client.connect.max.retries", 1);
        conf.setInt("ipc.client.connect.retry.interval", 50);
        return conf;
    }

    @Test
    void aClientOutlivesItsNameNode() throws Exception {
        try (ServerProcess first = new ServerProcess(folder, 0, true);
             DFSClient client = new DFSClient(first.uri(), conf())) {
            assertTrue(client.mkdirs("/kept", null, true));
            first.kill();
            IOException e = assertThrows(IOException.class, () -> client.getFileInfo("/kept"));
            assertTrue(e instanceof ConnectException || e instanceof SocketException, e.toString());
            assertThrows(ConnectException.class, () -> client.getFileInfo("/kept"));
            try (ServerProcess second = new ServerProcess(folder, first.uri().getPort(), false)) {
                assertEquals(first.uri(), second.uri());
                assertTrue(client.getFileInfo("/kept").isDirectory()); // logs in anew
            }
        }
    }

    @Test
    void aCallUnderWayEndsWhenTheNameNodeDies() throws Exception {
        ExecutorService threads = Executors.newSingleThreadExecutor();
        try (ServerProcess server = new ServerProcess(folder, 0, true);
             DFSClient client = new DFSClient(server.uri(), conf())) {
            assertTrue(client.mkdirs("/there", null, true));
            server.stop();
            Future<?> call = threads.submit(() -> client.getFileInfo("/there"));
            assertThrows(java.util.concurrent.TimeoutException.class, () -> call.get(200, TimeUnit.MILLISECONDS));
            server.kill();
            ExecutionException e =
                    assertThrows(ExecutionException.class, () -> call.get(10, TimeUnit.SECONDS));
            assertInstanceOf(SocketException.class, e.getCause());
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void aCallToANameNodeThatHangsEndsInTime() throws Exception {
        try (ServerProcess server = new ServerProcess(folder, 0, true)) {
            Configuration conf = conf();
            conf.setInt("ipc.client.rpc-timeout.ms", 5000); // for the first calls of a cold NameNode, too
            InetSocketAddress address = new InetSocketAddress("localhost", server.uri().getPort());
            try (DFSClient client = new DFSClient(server.uri(), conf)) {
                assertTrue(client.mkdirs("/there", null, true));
                server.stop();
                assertThrows(SocketTimeoutException.class, () -> client.getFileInfo("/there"));
                server.resume();
                assertTrue(client.mkdirs("/again", null, true));
            }
            ClientProtocol other = Proxies.protocol(
                    Proxies.jvrpc(address, UserGroupInformation.getCurrentUser(), conf()));
            assertEquals(2, other.getListing("/", new byte[0], false).getPartialListing().length);
        }
    }
}
