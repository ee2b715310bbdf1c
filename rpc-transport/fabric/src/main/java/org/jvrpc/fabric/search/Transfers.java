package org.jvrpc.fabric.search;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jvrpc.fabric.event.Chance;
import org.jvrpc.fabric.host.Application;
import org.jvrpc.fabric.host.HostMemory;
import org.jvrpc.roce.rc.ReceiveQueue.Arrival;
import org.jvrpc.roce.rc.SendWork;
import org.jvrpc.roce.rc.SendWork.Operation;
import org.jvrpc.verbs.WcStatus;

/**
 * Random messages of one QP, each from and to memory of its own: what arrived and completed is compared with what was
 * posted. The memory of a host: a part for what it sends, one that its peer writes, one that it receives in, one that
 * its READs fill.
 */
final class Transfers implements Application {

    static final int PART = 1 << 18;
    static final int MEMORY = 4 * PART;
    private static final int SLOT = 4 << 10;

    private record Message(Operation operation, int slot, int length) {
    }

    private final List<Message> messages = new ArrayList<>();
    private final List<Long> arrived = new ArrayList<>();
    private int fetched;
    private int completed;
    private int receives;
    private boolean failed;
    private String violation;

    /** For up to 64 messages. */
    Transfers(Chance chance, int count) {
        Operation[] operations = {Operation.SEND, Operation.WRITE, Operation.READ, Operation.FETCH_ADD};
        for (int i = 0; i < count; i++) {
            Operation operation = operations[chance.below(operations.length)];
            int length = operation == Operation.FETCH_ADD ? Long.BYTES : 1 + chance.below(SLOT);
            messages.add(new Message(operation, i, length));
        }
    }

    /** Fills what a host sends and what its peer reads. */
    static void fill(HostMemory memory, Chance chance) {
        for (int at = 0; at < 2 * PART; at += Long.BYTES) {
            memory.bytes().putLong(at, chance.bits());
        }
        memory.bytes().putLong(MEMORY - Long.BYTES, 0);
    }

    @Override
    public boolean fetch(SendWork work) {
        if (fetched == messages.size()) {
            return false;
        }
        Message message = messages.get(fetched);
        long remote = switch (message.operation) {
            case WRITE -> PART + (long) message.slot * SLOT; // what was there is written over
            case FETCH_ADD -> MEMORY - Long.BYTES;
            default -> (long) message.slot * SLOT;
        };
        work.set(message.operation, message.length, fetched++).flags(false, false)
                .remote(remote, HostMemory.RKEY).operands(0, 1);
        return true;
    }

    @Override
    public long address(SendWork work) {
        Message message = messages.get((int) work.cookie());
        return message.operation == Operation.READ || message.operation == Operation.FETCH_ADD
                ? 3 * PART + (long) message.slot * SLOT : (long) message.slot * SLOT;
    }

    @Override
    public void completed(SendWork work, WcStatus status, long nowNs) {
        if (violation == null && (status != WcStatus.SUCCESS || work.cookie() != completed)) {
            violation = "WR " + work.cookie() + " ended with " + status + ", completed=" + completed;
        }
        completed++;
    }

    @Override
    public long receiveAddress() {
        return 2 * PART + (long) receives * SLOT;
    }

    @Override
    public long receiveBytes() {
        return SLOT;
    }

    @Override
    public void arrived(Arrival kind, long length, int word, long nowNs) {
        arrived.add(length);
        receives++;
    }

    @Override
    public void failed() {
        failed = true;
    }

    /** Says what is wrong after a transfer from one host to the other; null when nothing is. */
    String check(HostMemory here, HostMemory there, Transfers other) {
        if (violation != null) {
            return violation;
        }
        if (failed || completed != messages.size()) {
            return "completed=" + completed + " of " + messages.size() + " failed=" + failed;
        }
        int sends = 0;
        int adds = 0;
        for (Message message : messages) {
            int from = message.slot * SLOT;
            boolean right = switch (message.operation) {
                case SEND -> other.arrived.get(sends) == message.length
                        && equal(here, from, there, 2 * PART + sends++ * SLOT, message.length);
                case WRITE -> equal(here, from, there, PART + from, message.length);
                case READ -> equal(here, 3 * PART + from, there, from, message.length);
                default -> here.bytes().getLong(3 * PART + from) == adds++;
            };
            if (!right) {
                return message + " is wrong";
            }
        }
        if (adds > 0 && there.bytes().getLong(MEMORY - Long.BYTES) != adds) {
            return "added=" + adds + " found=" + there.bytes().getLong(MEMORY - Long.BYTES);
        }
        return sends == other.arrived.size() ? null : "sent=" + sends + " arrived=" + other.arrived.size();
    }

    private static boolean equal(HostMemory a, int atA, HostMemory b, int atB, int length) {
        ByteBuffer one = a.bytes().slice(atA, length);
        return one.equals(b.bytes().slice(atB, length));
    }
}
