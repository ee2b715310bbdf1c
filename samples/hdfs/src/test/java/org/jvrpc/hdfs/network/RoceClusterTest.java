package org.jvrpc.hdfs.network;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ConnectException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.hdfs.Cluster;
import org.jvrpc.hdfs.ServerProcess;

/** A cluster over UDP: Hadoop has the TCP port of a number, jvRPC the UDP port of the same. */
class RoceClusterTest extends NetworkClusterContract {

    private static final String TEMPLATE = "roce://{host}:{port}";
    /** Clients of this host have its other addresses, too. */
    private static final String CLIENTS = "127.0.0.2";
    /** Below the ports that the kernel gives to whoever wants any, and those of other modules' tests. */
    private static final int LOW = 10_000;
    private static final int HIGH = 12_000;
    private static final int TRIES = 1000;

    @Override
    String server() {
        return TEMPLATE;
    }

    @Override
    String client() {
        return TEMPLATE + "?from=" + CLIENTS;
    }

    @Override
    String clientHost() {
        return CLIENTS;
    }

    @Override
    int port() throws IOException {
        InetAddress host = InetAddress.getByName("127.0.0.1");
        for (int i = 0; i < TRIES; i++) {
            int port = ThreadLocalRandom.current().nextInt(LOW, HIGH);
            try (ServerSocket tcp = new ServerSocket();
                    DatagramSocket udp = new DatagramSocket(new InetSocketAddress(host, port))) {
                tcp.bind(new InetSocketAddress(port));
                return udp.getLocalPort();
            } catch (IOException e) {
                continue; // in use
            }
        }
        throw new IOException("no free port from " + LOW + " to " + HIGH);
    }

    @Test
    void aClientOutlivesItsKilledNameNodeAtTheSamePort(@TempDir Path folder) throws Exception {
        Configuration conf = Cluster.conf();
        conf.set(ADDRESS, TEMPLATE);
        conf.setBoolean(FALLBACK, false);
        conf.setInt("ipc.client.connect.max.retries", 1);
        conf.setInt("ipc.client.connect.retry.interval", 50);
        int port = port();
        try (ServerProcess first = new ServerProcess(folder, port, true, TEMPLATE);
                DFSClient client = new DFSClient(first.uri(), conf)) {
            assertTrue(client.mkdirs("/kept", null, true));
            first.kill();
            IOException e = assertThrows(IOException.class, () -> client.getFileInfo("/kept"));
            assertTrue(e instanceof ConnectException || e instanceof SocketException, e.toString());
            assertThrows(ConnectException.class, () -> client.getFileInfo("/kept"));
            try (ServerProcess second = new ServerProcess(folder, port, false, TEMPLATE)) {
                assertEquals(first.uri(), second.uri());
                assertTrue(client.getFileInfo("/kept").isDirectory()); // logs in anew
            }
        }
    }
}
