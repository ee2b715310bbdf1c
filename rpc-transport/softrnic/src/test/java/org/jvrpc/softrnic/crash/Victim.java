package org.jvrpc.softrnic.crash;

import java.util.List;
import java.util.Map;
import org.jvrpc.softrnic.ShmUnderTest;
import org.jvrpc.testing.ChildJvm;
import org.jvrpc.testing.JavaCommand;
import org.jvrpc.testing.Parent;
import org.jvrpc.testing.crash.StorePoints;
import org.jvrpc.verbs.Device;

/**
 * A child process that makes itself ready for an operation, says {@link #READY}, waits for {@link #GO}, does it with
 * its stores counted, and says {@link #DONE} with their number, unless it was halted before.
 */
final class Victim {

    static final String READY = "READY";
    static final String GO = "GO";
    static final String DONE = "DONE ";

    /** What a child does. */
    @FunctionalInterface
    interface Operation {

        /**
         * Makes ready.
         *
         * @param peer address, or endpoint and number, of the parent's side
         * @return the operation
         */
        Runnable prepare(Device device, List<String> peer);
    }

    private static final Map<String, Operation> OPERATIONS = Map.ofEntries(
            Map.entry("send", Initiators::send),
            Map.entry("long send", Initiators::longSend),
            Map.entry("write", Initiators::write),
            Map.entry("read", Initiators::read),
            Map.entry("atomic", Initiators::fetchAndAdd),
            Map.entry("send to shared receives", Initiators::send),
            Map.entry("datagram", Initiators::datagram),
            Map.entry("receive", Acceptors::receive),
            Map.entry("shared receive", Acceptors::sharedReceive),
            Map.entry("connect", Acceptors::connect),
            Map.entry("accept", Acceptors::accept),
            Map.entry("close", Acceptors::close),
            Map.entry("device", Acceptors::device));

    private Victim() {
    }

    /** Starts one. */
    static ChildJvm start(String classPath, String operation, long point, StorePoints.Action action,
            List<String> peer) {
        return JavaCommand.of(Victim.class)
                .classPath(classPath)
                .option("-Xmx64m")
                .option("-XX:+UseSerialGC")
                .arguments(operation, Long.toString(point), action.name())
                .arguments(peer)
                .start();
    }

    public static void main(String[] args) throws InterruptedException {
        Device device = ShmUnderTest.open();
        Runnable operation = OPERATIONS.get(args[0]).prepare(device, List.of(args).subList(3, args.length));
        Parent.say(READY);
        if (!Parent.told().equals(GO)) {
            throw new IllegalStateException();
        }
        StorePoints.arm(Long.parseLong(args[1]), StorePoints.Action.valueOf(args[2]));
        operation.run();
        Parent.say(DONE + StorePoints.disarm());
        Parent.idle();
    }
}
