package org.jvrpc.offload.crash;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jvrpc.offload.hull.HullScene;
import org.jvrpc.offload.lookup.OffloadClient;
import org.jvrpc.offload.lookup.Outcome;
import org.jvrpc.offload.table.MethodAnswer;
import org.jvrpc.offload.table.MethodPublished;
import org.jvrpc.offload.table.MethodTable;
import org.jvrpc.testing.Waits;
import org.jvrpc.testing.crash.CrashVictim;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.MemoryRegion;

/** A child that runs a program, publishes answers, or is a hull's application. */
final class Victim {

    static final int KEYS = 4;

    private Victim() {
    }

    public static void main(String[] args) throws InterruptedException {
        Device device = Devices.open("shm://any");
        CrashVictim.run(Map.of(
                "lookup", arguments -> lookup(device, arguments),
                "publish", arguments -> publish(device, arguments),
                "hull", arguments -> HullScene.application(device, arguments)), args);
    }

    private static Runnable lookup(Device device, List<String> arguments) {
        OffloadClient client = OffloadClient.connect(
                device, arguments.get(0), LookupScene.NAME, 64, device.createChannel(), Waits.limitNs());
        return () -> {
            for (int key = 1; key <= KEYS; key++) {
                if (LookupScene.get(client, key) != Outcome.FOUND || client.answer().getLong(8) != key * 7L) {
                    throw new IllegalStateException("key " + key + " is not found");
                }
            }
        };
    }

    /** Takes the table up that is there, gives the keys a new value, the last of them after it was removed. */
    private static Runnable publish(Device device, List<String> arguments) {
        MemoryRegion region = device.attach(HexFormat.of().parseHex(arguments.get(0)));
        long value = Long.parseLong(arguments.get(1));
        return () -> {
            MethodTable table = MethodTable.open(region, 0, PublishScene.CAPACITY, PublishScene.ANSWER);
            for (long key = 1; key <= KEYS; key++) {
                if (key == KEYS) {
                    table.remove(words(key), 0, 8, table.begin());
                }
                MethodAnswer answer = new MethodAnswer(words(key), 0, 8, words(value, key * value), 0, 16, 0);
                if (table.publish(answer, table.begin()) != MethodPublished.PUBLISHED) {
                    throw new IllegalStateException("key " + key + " is not published");
                }
            }
        };
    }

    static ByteBuffer words(long... words) {
        ByteBuffer bytes = ByteBuffer.allocateDirect(words.length * 8).order(ByteOrder.LITTLE_ENDIAN);
        for (long word : words) {
            bytes.putLong(word);
        }
        return bytes.clear();
    }
}
