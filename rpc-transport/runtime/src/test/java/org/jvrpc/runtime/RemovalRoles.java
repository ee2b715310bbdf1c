package org.jvrpc.runtime;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jvrpc.api.RpcException;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.contract.Calls;
import org.jvrpc.runtime.contract.CallsImpl;
import org.jvrpc.testing.Parent;

/** What child processes do whose RDMA device is taken away. */
final class RemovalRoles {

    private static final int LOOKS = 200;
    private static final long LOOK_NS = 50_000_000;

    /** The device's file. */
    private final String file;

    RemovalRoles(String device) throws IOException {
        String found = "";
        Path all = Path.of("/sys/class/infiniband_verbs");
        try (DirectoryStream<Path> files = Files.newDirectoryStream(all, "uverbs*")) {
            for (Path each : files) {
                found = Files.readString(each.resolve("ibdev")).trim().equals(device)
                        ? "/infiniband/" + each.getFileName() : found;
            }
        }
        if (found.isEmpty()) {
            throw new IOException("no device " + device);
        }
        file = found;
    }

    /** Runs {@code ROLE ADDRESS DEVICE}. */
    void run(String[] arguments) throws IOException, InterruptedException {
        switch (arguments[0]) {
            case "removed" -> serve(arguments[1]);
            case "loaded" -> call(arguments[1]);
            case "messages" -> serveMessages(arguments[1]);
            case "listening" -> listen(arguments[1]);
            default -> leave(arguments[1]);
        }
    }

    /** The first connection of a JVM loads and makes classes, which takes an emulated machine seconds. */
    static RpcClient connect(String address) {
        return RpcClient.builder(address).connectTimeout(Duration.ofSeconds(30)).connect();
    }

    /** Serves until the device goes. */
    private void serve(String address) throws IOException, InterruptedException {
        RpcServer server = RpcServer.builder().bind(address).service(Calls.class, new CallsImpl()).start();
        Parent.say("READY " + server.address());
        Parent.say(server.awaitTermination(Duration.ofMinutes(2)) ? "ENDED" : "GOES ON");
        Parent.say("HELD " + held());
    }

    /** Calls until it cannot. */
    private void call(String address) throws IOException {
        RpcClient client = connect(address);
        Calls calls = client.stub(Calls.class);
        calls.add(1, 2);
        Parent.say("READY");
        try {
            for (int i = 0;; i++) {
                calls.add(i, 1);
            }
        } catch (RpcException e) {
            Parent.say("FAILED " + e.status() + " " + e.getMessage());
        }
        Parent.say("HELD " + held());
        try {
            Parent.say("AGAIN " + calls.add(1, 2));
        } catch (RpcException e) {
            Parent.say("AGAIN " + e.status() + " " + e.getMessage());
        }
    }

    /** Sends messages back until the device goes. */
    private void serveMessages(String address) throws IOException {
        MessageServer server = MessageServer.builder().bind(address)
                .handler(() -> (session, frame) -> session.send(frame)).start();
        Parent.say("READY " + server.address());
        Await.until("the server to end", () -> server.address() == null);
        Parent.say("ENDED");
        Parent.say("HELD " + held());
    }

    /** Sends messages, and takes them back, until it cannot. */
    private void listen(String address) throws IOException {
        AtomicInteger frames = new AtomicInteger();
        try (MessageClient client = MessageClient.builder(address, (session, frame) -> frames.incrementAndGet())
                .timeout(Duration.ofSeconds(30)).connect()) {
            boolean ready = false;
            while (client.session().isOpen()) {
                if (!ready && frames.get() > 0) {
                    ready = true;
                    Parent.say("READY");
                }
                client.send(ByteBuffer.allocate(8));
                client.poll(LOOK_NS);
            }
            Parent.say("OVER");
        }
        Parent.say("HELD " + held());
    }

    private void leave(String address) throws IOException {
        try (RpcClient client = connect(address)) {
            client.stub(Calls.class).add(1, 2);
        }
        Parent.say("LEFT " + open());
        Parent.say("HELD " + held());
    }

    /** Waits until nothing of a device is held any more, and returns what is. */
    private String held() throws IOException {
        for (int looks = 0; looks < LOOKS && !open().equals("none"); looks++) {
            LockSupport.parkNanos(LOOK_NS);
        }
        return open();
    }

    /** Returns how the device's file is open or mapped here, or "none". */
    private String open() throws IOException {
        TreeSet<String> found = new TreeSet<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
            for (Path file : files) {
                try {
                    found.add("fd " + Files.readSymbolicLink(file));
                } catch (IOException e) {
                    continue; // it was closed meanwhile
                }
            }
        }
        try (var lines = Files.lines(Path.of("/proc/self/maps"))) {
            lines.forEach(line -> found.add("map " + line.replaceFirst("^(\\S+\\s+){5}", "")));
        }
        found.removeIf(name -> !name.endsWith(file));
        return found.isEmpty() ? "none" : found.toString();
    }
}
