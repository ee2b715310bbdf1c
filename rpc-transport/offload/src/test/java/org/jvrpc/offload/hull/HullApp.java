package org.jvrpc.offload.hull;

import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import org.jvrpc.offload.lookup.LookupKind;
import org.jvrpc.offload.lookup.OffloadClient;
import org.jvrpc.testing.JavaCommand;
import org.jvrpc.testing.Parent;
import org.jvrpc.testing.Waits;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;

/** An application under test, as the child of a hull. Ends with status 0 when its standard input does. */
final class HullApp {

    static final String NAME = "test/get";
    /** A busy machine starts a shutdown hook within it. */
    private static final long STUBBORN_MS = 5000;

    private HullApp() {
    }

    /** Returns the command that runs it. */
    static JavaCommand command(String... args) {
        return JavaCommand.of(HullApp.class).option("-Xmx64m").arguments(args);
    }

    public static void main(String[] args) throws InterruptedException {
        Parent.say("started " + ProcessHandle.current().pid());
        switch (args[0]) {
            case "serve" -> serve(HullClient::attach, () -> { });
            case "dies" -> Runtime.getRuntime().halt(3);
            case "stubborn" -> serve(
                    device -> HullClient.attach(device, () -> HullClient.end(STUBBORN_MS)), HullApp::forever);
            case "idle" -> commands();
            case "load" -> load(args[1]);
            case "overbearing" -> {
                try (Device device = Devices.open("shm://any")) {
                    HullClient.attach(device).offer(NAME, LookupKind.HASH_GET, 1L << 40);
                }
            }
            default -> throw new IllegalArgumentException(args[0]);
        }
    }

    private static void forever() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void serve(Function<Device, HullClient> attach, Runnable atEnd) throws InterruptedException {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            Parent.say("asked to end");
            atEnd.run();
        }));
        Device device = Devices.open("shm://any");
        HullClient hull = attach.apply(device);
        HullTable table = new HullTable(hull.region());
        if (!hull.isFormatted()) {
            table.format();
            hull.formatted(true);
            Parent.say("formatted");
        }
        Offered offered = hull.offer(NAME, LookupKind.HASH_GET, 0);
        Thread writer = new Thread(() -> write(table), "writer");
        writer.setDaemon(true);
        writer.start();
        Parent.say("ready " + hull.generation() + " " + offered + " word=" + table.word());
        table.word(hull.generation() * 1000 + 7);
        Parent.say("wrote " + table.word());
        commands();
    }

    /** Is no application but a client that gets without end. */
    private static void load(String address) {
        Device device = Devices.open(address);
        HullTable.Reader reader = new HullTable.Reader(OffloadClient.connect(
                device, address, NAME, 256, device.createChannel(), Waits.limitNs()));
        Parent.say("loading");
        while (true) {
            String wrong = reader.next();
            if (wrong != null) {
                Parent.say(wrong);
                return;
            }
        }
    }

    /** Gives all values new versions without end. */
    private static void write(HullTable table) {
        for (long version = table.version(HullTable.KEYS - 1) + 1;; version++) {
            for (int key = 1; key < HullTable.KEYS; key++) {
                table.put(key, version);
            }
            Thread.yield();
        }
    }

    private static void commands() throws InterruptedException {
        for (String line = Parent.told();; line = Parent.told()) {
            if (line.startsWith("exit ")) {
                System.exit(Integer.parseInt(line.substring(5)));
            }
        }
    }
}
