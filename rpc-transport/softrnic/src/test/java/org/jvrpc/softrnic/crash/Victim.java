package org.jvrpc.softrnic.crash;

import java.util.List;
import java.util.Map;
import org.jvrpc.softrnic.ShmUnderTest;
import org.jvrpc.testing.crash.CrashVictim;
import org.jvrpc.verbs.Device;

/** A child that has a device, and does an operation with it. */
final class Victim {

    /** As {@link CrashVictim.Operation}, with a device. */
    @FunctionalInterface
    private interface Operation {
        Runnable prepare(Device device, List<String> arguments);
    }

    private Victim() {
    }

    private static CrashVictim.Operation on(Device device, Operation operation) {
        return arguments -> operation.prepare(device, arguments);
    }

    public static void main(String[] args) throws InterruptedException {
        Device device = ShmUnderTest.open();
        CrashVictim.run(Map.ofEntries(
                Map.entry("send", on(device, Initiators::send)),
                Map.entry("long send", on(device, Initiators::longSend)),
                Map.entry("push", on(device, Initiators::push)),
                Map.entry("long push", on(device, Initiators::longPush)),
                Map.entry("write", on(device, Initiators::write)),
                Map.entry("read", on(device, Initiators::read)),
                Map.entry("atomic", on(device, Initiators::fetchAndAdd)),
                Map.entry("send to shared receives", on(device, Initiators::send)),
                Map.entry("datagram", on(device, Initiators::datagram)),
                Map.entry("receive", on(device, Acceptors::receive)),
                Map.entry("shared receive", on(device, Acceptors::sharedReceive)),
                Map.entry("connect", on(device, Acceptors::connect)),
                Map.entry("accept", on(device, Acceptors::accept)),
                Map.entry("close", on(device, Acceptors::close)),
                Map.entry("device", on(device, Acceptors::device))), args);
    }
}
