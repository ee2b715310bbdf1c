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
 * Random messages of one QP, each from and to memory of its own: what arrived and completed, and all memory of both
 * hosts, is compared with what was posted. The memory of a host: a part for what it sends and its peer reads, one that
 * its peer writes, one that it receives in, one that its READs and atomics fill, and two words for the peer's atomics.
 */
final class Transfers implements Application {

    private static final int SLOT = 4 << 10;
    private static final int PARTS = 4;
    private static final int WORDS = 2 * Long.BYTES;
    private static final Operation[] OPERATIONS = {Operation.SEND, Operation.WRITE, Operation.READ,
        Operation.FETCH_ADD, Operation.SEND_IMM, Operation.WRITE_IMM, Operation.COMPARE_SWAP};

    private record Message(Operation operation, int slot, int length, int word) {

        boolean isAtomic() {
            return operation == Operation.FETCH_ADD || operation == Operation.COMPARE_SWAP;
        }

        boolean takesReceive() {
            return operation == Operation.SEND || operation == Operation.SEND_IMM || operation == Operation.WRITE_IMM;
        }
    }

    private record Arrived(Arrival kind, long length, int word) {
    }

    private final List<Message> messages = new ArrayList<>();
    private final List<Arrived> arrived = new ArrayList<>();
    private final HostMemory memory;
    private final byte[] before;
    private final int part;
    private final Chance chance;
    private final int mostRefusals;
    private int refusalsLeft;
    private int refused;
    private int swapped;
    private int fetched;
    private int completed;
    private boolean failed;
    private String violation;
    private long lastNs;

    /**
     * Makes messages, and fills the memory of their host.
     *
     * @param mostRefusals times that a message from the peer finds no receive, at most
     */
    Transfers(Chance chance, int count, HostMemory memory, int mostRefusals) {
        this.chance = chance;
        this.memory = memory;
        this.mostRefusals = mostRefusals;
        part = (memory.bytes().capacity() - WORDS) / PARTS;
        for (int i = 0; i < count; i++) {
            Operation operation = OPERATIONS[chance.below(OPERATIONS.length)];
            int length = 1 + chance.below(SLOT);
            boolean atomic = operation == Operation.FETCH_ADD || operation == Operation.COMPARE_SWAP;
            messages.add(new Message(operation, i, atomic ? Long.BYTES : length, (int) chance.bits()));
        }
        for (int at = 0; at < PARTS * part; at += Long.BYTES) {
            memory.bytes().putLong(at, chance.bits());
        }
        before = memory.bytes().array().clone();
        refusalsLeft = chance.below(mostRefusals + 1);
    }

    /** Returns the size of the memory of a host for so many messages. */
    static int memory(int messages) {
        return PARTS * SLOT * messages + WORDS;
    }

    @Override
    public boolean fetch(SendWork work) {
        if (fetched == messages.size()) {
            return false;
        }
        Message message = messages.get(fetched);
        long remote = switch (message.operation) {
            case WRITE, WRITE_IMM -> part + (long) message.slot * SLOT;
            case FETCH_ADD -> addedAt();
            case COMPARE_SWAP -> swappedAt();
            default -> (long) message.slot * SLOT;
        };
        boolean swaps = message.operation == Operation.COMPARE_SWAP;
        work.set(message.operation, message.length, fetched++).flags(false, false).word(message.word)
                .remote(remote, HostMemory.RKEY).operands(swapped, swaps ? swapped + 1 : 1);
        swapped += swaps ? 1 : 0;
        return true;
    }

    private int addedAt() {
        return PARTS * part;
    }

    private int swappedAt() {
        return PARTS * part + Long.BYTES;
    }

    @Override
    public long address(SendWork work) {
        Message message = messages.get((int) work.cookie());
        return message.operation == Operation.READ || message.isAtomic()
                ? 3L * part + (long) message.slot * SLOT : (long) message.slot * SLOT;
    }

    @Override
    public void completed(SendWork work, WcStatus status, long nowNs) {
        lastNs = nowNs;
        if (violation == null && (status != WcStatus.SUCCESS || work.cookie() != completed)) {
            violation = "WR " + work.cookie() + " ended with " + status + ", completed=" + completed;
        }
        completed++;
    }

    @Override
    public boolean takeReceive() {
        if (refusalsLeft == 0) {
            return true;
        }
        refusalsLeft--;
        refused++;
        return false;
    }

    @Override
    public long receiveAddress() {
        return 2L * part + (long) arrived.size() * SLOT;
    }

    @Override
    public long receiveBytes() {
        return SLOT;
    }

    @Override
    public void arrived(Arrival kind, long length, int word, long nowNs) {
        lastNs = nowNs;
        arrived.add(new Arrived(kind, length, word));
        refusalsLeft = chance.below(mostRefusals + 1);
    }

    @Override
    public void failed() {
        failed = true;
    }

    /** Returns how often there was no receive. */
    int refused() {
        return refused;
    }

    /** Returns when the last message completed or arrived. */
    long lastNs() {
        return lastNs;
    }

    /** Says what is wrong after the transfers of two hosts with each other; null when nothing is. */
    static String check(Transfers a, Transfers b) {
        String wrong = a.ended(b);
        wrong = wrong != null ? wrong : b.ended(a);
        a.apply(b);
        b.apply(a);
        wrong = wrong != null ? wrong : a.compare("first");
        return wrong != null ? wrong : b.compare("second");
    }

    private String ended(Transfers other) {
        if (violation != null) {
            return violation;
        }
        if (failed || completed != messages.size()) {
            return "completed=" + completed + " of " + messages.size() + " failed=" + failed;
        }
        List<Arrived> expected = messages.stream().filter(Message::takesReceive).map(Transfers::arrival).toList();
        return expected.equals(other.arrived) ? null : "sent " + expected + ", arrived " + other.arrived;
    }

    private static Arrived arrival(Message message) {
        return switch (message.operation) {
            case SEND -> new Arrived(Arrival.SEND, message.length, 0);
            case SEND_IMM -> new Arrived(Arrival.SEND_IMM, message.length, message.word);
            default -> new Arrived(Arrival.WRITE_IMM, message.length, message.word);
        };
    }

    /** Makes of the memory before what these messages make of it: no source of one is another's target. */
    private void apply(Transfers other) {
        ByteBuffer here = ByteBuffer.wrap(before);
        ByteBuffer there = ByteBuffer.wrap(other.before);
        int receives = 0;
        long adds = 0;
        long swaps = 0;
        for (Message message : messages) {
            int slot = message.slot * SLOT;
            switch (message.operation) {
                case SEND, SEND_IMM -> there.put(2 * part + receives * SLOT, here, slot, message.length);
                case WRITE, WRITE_IMM -> there.put(part + slot, here, slot, message.length);
                case READ -> here.put(3 * part + slot, there, slot, message.length);
                case FETCH_ADD -> here.putLong(3 * part + slot, adds++);
                default -> here.putLong(3 * part + slot, swaps++);
            }
            receives += message.takesReceive() ? 1 : 0;
        }
        there.putLong(addedAt(), adds).putLong(swappedAt(), swaps);
    }

    private String compare(String host) {
        int at = ByteBuffer.wrap(before).mismatch(memory.bytes().slice(0, before.length));
        return at < 0 ? null : "memory of the " + host + " host, part=" + at / Math.max(1, part) + " at=" + at;
    }
}
