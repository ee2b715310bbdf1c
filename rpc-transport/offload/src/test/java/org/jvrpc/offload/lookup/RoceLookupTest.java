package org.jvrpc.offload.lookup;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.jvrpc.testing.ChildJvm;
import org.jvrpc.testing.JavaCommand;
import org.jvrpc.testing.Parent;
import org.jvrpc.testing.Waits;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.EventChannel;

/** The same by packets: programs run where they are taken, and their answers are packets. */
final class RoceLookupTest extends LookupTest {

    private static final String DEVICE = "roce://127.0.0.1:0";

    @Override
    String deviceAddress() {
        return DEVICE;
    }

    @Override
    String hostAddress() {
        return DEVICE;
    }

    /** Past the end of counters of 16 bits. */
    @Override
    int laps() {
        return 70_000;
    }

    /** Connects, and does nothing more. */
    static final class Silent {

        private Silent() {
        }

        public static void main(String[] args) throws InterruptedException {
            Device device = Devices.open(DEVICE);
            EventChannel channel = device.createChannel();
            OffloadClient.connect(device, args[0], "test/get", 64, channel, Waits.limitNs());
            Parent.say("CONNECTED");
            Thread.currentThread().join();
        }
    }

    /** Who is killed tells nobody, and its host sends it nothing. */
    @Test
    void aClientThatIsKilledWhileItAsksNothingIsNoticed() throws Exception {
        connect(LookupKind.HASH_GET, Offer.Rearm.RECYCLED).close();
        Waits.until("the client that left to be gone", () -> host.clients().isEmpty());
        try (ChildJvm child = JavaCommand.of(Silent.class).option("-Xmx64m").arguments(host.address()).start()) {
            child.expect("CONNECTED");
            assertEquals(1, host.clients().size());
        }
        Waits.until("the dead one to be gone", () -> host.clients().isEmpty(), host::clients);
    }
}
