package org.jvrpc.ibverbs.fault;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jvrpc.testing.Parent;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.Listener;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.contract.Background;

/** Connects, sends a message and closes, many times, and says what the process and the kernel hold. */
final class Leaks {

    /** Rounds before the first count: caches and pools are as large as they get. */
    private static final int WARM_UP = 100;
    private static final int SECONDS = 30;
    private static final String ADDRESS = "rdma://10.9.0.2:23000";

    private Leaks() {
    }

    static void run(String driver, int rounds) throws IOException {
        try (Device a = Devices.open("rdma://10.9.0.1:0?device=rxe0&driver=" + driver);
                Device b = Devices.open("rdma://10.9.0.2:0?device=rxe1&driver=" + driver);
                EventChannel left = a.createChannel(); EventChannel right = b.createChannel();
                Listener listener = b.listen(ADDRESS, right)) {
            rounds(a, b, left, right, listener, WARM_UP);
            Parent.say("EARLY " + held());
            rounds(a, b, left, right, listener, rounds - WARM_UP);
            Parent.say("LATE " + held());
        }
        Parent.say("AFTER " + held());
    }

    private static void rounds(
            Device a, Device b, EventChannel left, EventChannel right, Listener listener, int count) {
        Background<Integer> server = Background.start("server", () -> {
            int served = 0;
            for (int i = 0; i < count; i++) {
                Node node = new Node(b, 4096);
                node.receive(ReceiveRequest.of(i, Sge.of(node.mr, 0, 64)));
                Connection connection = FaultMain.awaitRequest(listener, right).accept(node.qp, new byte[0]);
                served += node.await(node.receives, i).ordinal(); // SUCCESS is 0
                connection.close();
                node.close();
            }
            return served;
        });
        for (int i = 0; i < count; i++) {
            Node node = new Node(a, 4096);
            Connection connection = a.connect(ADDRESS, node.qp, new byte[0], left, 10_000_000_000L);
            node.post(SendRequest.send(i, Sge.of(node.mr, 0, 64)).signalled());
            node.await(node.sends, i);
            left.await(0);
            connection.close();
            node.close();
        }
        if (server.join(SECONDS) != 0) {
            throw new AssertionError("a receive failed");
        }
    }

    /** Returns file descriptors, resident KiB, and what the kernel counts for both devices. */
    private static String held() throws IOException {
        System.gc();
        String[] descriptors = new File("/proc/self/fd").list();
        long pages = Long.parseLong(Files.readString(Path.of("/proc/self/statm")).split(" ")[1]);
        StringBuilder text = new StringBuilder("fds=" + descriptors.length + " rss=" + pages * 4);
        for (String line : Commands.run("rdma", "resource", "show").split("\n")) {
            if (line.contains("rxe0") || line.contains("rxe1")) {
                text.append(" | ").append(line.replaceFirst("^\\d+: ", "").trim());
            }
        }
        return text.toString();
    }
}
