package org.jvrpc.ibverbs.fault;

import org.jvrpc.testing.ChildJvm;
import org.jvrpc.testing.JavaCommand;
import org.jvrpc.testing.Parent;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.ConnectionRequest;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.Listener;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.contract.Background;
import org.jvrpc.verbs.contract.Deadline;

/** What child processes of the tests do, by name. */
final class FaultMain {

    private FaultMain() {
    }

    /** Starts a role. */
    static ChildJvm start(String... arguments) {
        return JavaCommand.of(FaultMain.class).option("-Xmx256m").option("-XX:+UseSerialGC").arguments(arguments)
                .start();
    }

    /** Runs a role and ends with it: exit status 0 when it came to its end. */
    public static void main(String[] arguments) throws Exception {
        switch (arguments[0]) {
            case "listen" -> listen(arguments[1], arguments[2]);
            case "connect" -> connect(arguments[1], arguments[2]);
            case "traffic" -> traffic(arguments[1]);
            case "connected" -> connected(arguments[1]);
            case "misuse" -> Misuse.runAll(arguments[1]);
            case "leaks" -> Leaks.run(arguments[1], Integer.parseInt(arguments[2]));
            default -> throw new IllegalArgumentException(arguments[0]);
        }
        System.exit(0);
    }

    private static void listen(String driver, String address) {
        Device device = Devices.open(address + "?driver=" + driver);
        EventChannel channel = device.createChannel();
        Listener listener = device.listen(address, channel);
        Node node = new Node(device, 4096);
        Parent.say("READY");
        sendForEver(node, awaitRequest(listener, channel).accept(node.qp, new byte[0]), channel);
    }

    /** Waits for somebody who wants to connect. */
    static ConnectionRequest awaitRequest(Listener listener, EventChannel channel) {
        Deadline deadline = Deadline.usual();
        for (ConnectionRequest request = listener.poll();; request = listener.poll()) {
            if (request != null) {
                return request;
            }
            channel.await(20_000_000);
            deadline.turn(() -> "nobody connects to " + listener.address());
        }
    }

    private static void connect(String driver, String address) {
        Device device = Devices.open("rdma://10.9.0.2:0?device=rxe1&driver=" + driver);
        EventChannel channel = device.createChannel();
        Node node = new Node(device, 4096);
        Parent.say("READY");
        sendForEver(node, device.connect(address, node.qp, new byte[0], channel, 10_000_000_000L), channel);
    }

    private static void sendForEver(Node node, Connection connection, EventChannel channel) {
        SendRequest request = SendRequest.send(1, Sge.of(node.mr, 0, 64)).signalled();
        while (connection.isConnected()) {
            node.post(request);
            node.await(node.sends, 1);
            channel.await(0);
        }
        Parent.say("DISCONNECTED");
    }

    /** Sends over the test's own wire without a connection manager, until somebody ends the process. */
    private static void traffic(String driver) {
        Device a = Wire.open(0, driver);
        Device b = Wire.open(1, driver);
        Node left = new Node(a, Traffic.BYTES);
        Node right = new Node(b, Traffic.BYTES);
        Node.connect(left, right);
        Traffic traffic = new Traffic(left, right, 1);
        while (traffic.failure() == null) {
            traffic.run(100, Node.LIMIT_MS);
            Parent.say("PROGRESS " + traffic.completed());
        }
        Parent.say("ENDED " + traffic.failure());
    }

    /** Sends over a connection of the test's own wire until it is lost, says how, and closes everything. */
    private static void connected(String driver) {
        Device a = Wire.open(0, driver);
        Device b = Wire.open(1, driver);
        EventChannel left = a.createChannel();
        EventChannel right = b.createChannel();
        Listener listener = b.listen("rdma://" + Wire.HOSTS[1] + ":22100", right);
        Node client = new Node(a, Traffic.BYTES);
        Node server = new Node(b, Traffic.BYTES);
        Background<Connection> accepting = Background.start("server",
                () -> awaitRequest(listener, right).accept(server.qp, new byte[0]));
        Connection connection = a.connect(listener.address(), client.qp, new byte[0], left, 10_000_000_000L);
        Connection accepted = accepting.join(20);
        Traffic traffic = new Traffic(client, server, 1);
        String end = "";
        while (connection.isConnected() && traffic.failure() == null && end.isEmpty()) {
            try {
                traffic.run(50, Node.LIMIT_MS);
                Parent.say("PROGRESS " + traffic.completed());
                left.await(0);
                right.await(0);
            } catch (VerbsException | IllegalStateException e) {
                end = e.toString();
            }
        }
        Parent.say("ENDED connected=" + connection.isConnected() + " " + accepted.isConnected() + " failure="
                + traffic.failure() + " " + end);
        for (AutoCloseable resource : new AutoCloseable[] {
            connection, accepted, listener, left, right, client, server, a, b}) {
            close(resource);
        }
        Parent.say("CLOSED");
    }

    private static void close(AutoCloseable resource) {
        try {
            resource.close();
        } catch (Exception e) {
            Parent.say("CLOSING " + resource + ": " + e);
        }
    }
}
