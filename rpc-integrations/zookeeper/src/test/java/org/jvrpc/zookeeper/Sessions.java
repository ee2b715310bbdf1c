package org.jvrpc.zookeeper;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingServer;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooKeeper;
import org.jvrpc.testing.Waits;

/** Sessions of others: a test has to see them end. */
final class Sessions {

    private static final int PASSWORD_BYTES = 16;
    private static final long SECRET = 0xB3415C00L; // ZooKeeperServer.superSecret
    private static final Pattern ID = Pattern.compile("sid=0x([0-9a-f]+)");

    private static final int TICK_MS = 500;
    private static final int MAX_CONNECTIONS = 100;

    private Sessions() {
    }

    /** Returns a server of ZooKeeper that takes sessions of 2 s, which its default does not. */
    static TestingServer server(boolean start) throws Exception {
        return new TestingServer(new InstanceSpec(null, InstanceSpec.getRandomPort(), -1, -1, true, -1, TICK_MS,
                MAX_CONNECTIONS), start);
    }

    /** Has the ensemble end a session: whoever takes it over by its id and password may close it. */
    static void expire(String ensemble, long session) throws Exception {
        byte[] password = new byte[PASSWORD_BYTES];
        new Random(session ^ SECRET).nextBytes(password);
        CountDownLatch connected = new CountDownLatch(1);
        ZooKeeper thief = new ZooKeeper(ensemble, 10_000, event -> {
            if (event.getState() == KeeperState.SyncConnected) {
                connected.countDown();
            }
        }, session, password);
        boolean taken = connected.await(Waits.limitNs(), TimeUnit.NANOSECONDS);
        thief.close();
        if (!taken) {
            throw new AssertionError("session 0x" + Long.toHexString(session) + " cannot be taken over");
        }
    }

    /** Returns those that have a connection to the server at a port of this host. */
    static Set<Long> all(int port) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", port)) {
            socket.getOutputStream().write("cons".getBytes(StandardCharsets.US_ASCII));
            Set<Long> ids = new HashSet<>();
            Matcher found = ID.matcher(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII));
            while (found.find()) {
                ids.add(Long.parseUnsignedLong(found.group(1), 16));
            }
            return ids;
        }
    }
}
