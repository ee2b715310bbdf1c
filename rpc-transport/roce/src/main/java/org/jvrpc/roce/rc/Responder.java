package org.jvrpc.roce.rc;

import java.nio.ByteBuffer;
import org.jvrpc.roce.rc.ReceiveQueue.Arrival;
import org.jvrpc.roce.wire.Aeth;
import org.jvrpc.roce.wire.AtomicEth;
import org.jvrpc.roce.wire.Opcode;
import org.jvrpc.roce.wire.Packet;
import org.jvrpc.roce.wire.Psn;
import org.jvrpc.roce.wire.Reth;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.WcStatus;

/**
 * The receiving half of a QP: executes requests in the order of their PSNs, each once; answers duplicates as it did
 * before, and a gap with one NAK. A request is looked at in this order: PSN, sequence of opcodes, receive, length,
 * key. One that fails ends the QP: what was answered before still leaves.
 */
final class Responder {

    private final ReceiveQueue receives;
    private final RemoteMemory memory;
    private final RcAttributes attributes;
    private final RcCounters counters;
    private final Answers answers;
    private boolean active = true;
    private int expected;
    private int msn;
    /** A NAK for the expected PSN is on its way: nothing is said until it comes. */
    private boolean silent;

    /** The opcode of the message that is coming in; those of one message follow each other. */
    private boolean inSend;
    private boolean inWrite;
    private int messagePsn;
    private long length;
    private long address;
    private int rkey;
    private long left;

    Responder(ReceiveQueue receives, RemoteMemory memory, PacketSink sink, RcAttributes attributes, RcCounters counters,
            int qpn, int psn) {
        this.receives = receives;
        this.memory = memory;
        this.attributes = attributes;
        this.counters = counters;
        this.answers = new Answers(memory, sink, attributes, counters, qpn);
        this.expected = psn;
    }

    /**
     * Sends what may be sent now. Acknowledgements are sent here only: one for all packets that came before it.
     */
    void progress(Urgency urgency) {
        answers.progress(urgency);
        if (active && answers.haveFailed()) {
            active = false;
            receives.failed();
        }
    }

    int expected() {
        return expected;
    }

    boolean isAcknowledgementHeld() {
        return answers.mayWait();
    }

    boolean isAcknowledgementAsked() {
        return answers.isAsked();
    }

    boolean isDue() {
        return answers.areDue();
    }

    /** Takes a request. */
    void receive(Packet packet) {
        if (!active) {
            return;
        }
        int ahead = Psn.difference(packet.psn(), expected);
        if (ahead > 0) {
            gap();
        } else if (ahead < 0) {
            duplicate(packet);
        } else if (isInSequence(packet.opcode())) {
            if (silent) {
                silent = false;
                answers.withdraw();
            }
            execute(packet);
        } else {
            fail(Aeth.NAK_INVALID);
        }
    }

    private void gap() {
        counters.gap();
        if (silent) {
            return;
        }
        if (attributes.goBackZero() && (inSend || inWrite)) {
            expected = messagePsn;
            inSend = false;
            inWrite = false;
        }
        silent = true;
        answers.refuse(Aeth.NAK_SEQUENCE, expected, msn);
    }

    private void duplicate(Packet packet) {
        counters.duplicate();
        int opcode = packet.opcode();
        if (opcode == Opcode.READ_REQUEST) {
            answers.repeatRead(packet);
        } else if (Opcode.isAtomic(opcode)) {
            answers.repeatAtomic(packet.psn());
        } else if (packet.isAckRequested()) {
            answers.acknowledge(Psn.plus(expected, -1), msn, false);
        }
    }

    private boolean isInSequence(int opcode) {
        if (inSend) {
            return Opcode.isSend(opcode) && !Opcode.begins(opcode);
        }
        if (inWrite) {
            return Opcode.isWrite(opcode) && !Opcode.begins(opcode);
        }
        return Opcode.begins(opcode);
    }

    private void execute(Packet packet) {
        int opcode = packet.opcode();
        if (Opcode.takesReceive(opcode) && !receives.take()) {
            silent = true;
            answers.refuse(Aeth.rnrNak(attributes.minRnrTimerNs()), expected, msn);
            return;
        }
        if (opcode == Opcode.READ_REQUEST) {
            read(packet);
        } else if (Opcode.isAtomic(opcode)) {
            atomic(packet);
        } else if (!isLengthRight(packet)) {
            invalid();
        } else if (Opcode.isSend(opcode)) {
            send(packet);
        } else {
            write(packet);
        }
    }

    /** A message's packets are full, but for the last, which has something unless it is the only one. */
    private boolean isLengthRight(Packet packet) {
        if (!Opcode.ends(packet.opcode())) {
            return packet.length() == attributes.mtu();
        }
        return packet.length() <= attributes.mtu() && (packet.length() > 0 || Opcode.begins(packet.opcode()));
    }

    private void send(Packet packet) {
        int opcode = packet.opcode();
        boolean ends = Opcode.ends(opcode);
        if (Opcode.begins(opcode)) {
            begin();
        }
        WcStatus placed = receives.place(length, packet.buffer(), packet.payload(), packet.length(), ends);
        if (placed != WcStatus.SUCCESS) {
            receives.fail(placed);
            fail(placed == WcStatus.LOC_LEN_ERR ? Aeth.NAK_INVALID : Aeth.NAK_OPERATION);
            return;
        }
        length += packet.length();
        if (!ends) {
            inSend = true;
            advance(packet, false);
            return;
        }
        inSend = false;
        boolean invalidates = Opcode.isInvalidate(opcode);
        if (invalidates && !memory.invalidate(packet.word())) {
            receives.fail(WcStatus.LOC_ACCESS_ERR);
            fail(Aeth.NAK_ACCESS);
            return;
        }
        Arrival kind = invalidates ? Arrival.SEND_INVALIDATE
                : Opcode.hasImmediate(opcode) ? Arrival.SEND_IMM : Arrival.SEND;
        arrived(packet, kind, kind == Arrival.SEND ? 0 : packet.word());
    }

    private void begin() {
        messagePsn = expected;
        length = 0;
    }

    private void write(Packet packet) {
        int opcode = packet.opcode();
        boolean ends = Opcode.ends(opcode);
        if (Opcode.begins(opcode) && !beginWrite(packet)) {
            return;
        }
        if (ends ? packet.length() != left : packet.length() >= left) {
            invalid();
            return;
        }
        if (packet.length() > 0
                && !memory.write(rkey, address, packet.buffer(), packet.payload(), packet.length())) {
            fail(Aeth.NAK_ACCESS);
            return;
        }
        address += packet.length();
        left -= packet.length();
        length += packet.length();
        inWrite = !ends;
        if (Opcode.hasImmediate(opcode)) {
            arrived(packet, Arrival.WRITE_IMM, packet.word());
            return;
        }
        if (ends) {
            msn++;
        }
        advance(packet, false);
    }

    private boolean beginWrite(Packet packet) {
        begin();
        ByteBuffer bytes = packet.buffer();
        address = Reth.address(bytes, packet.extension());
        rkey = Reth.rkey(bytes, packet.extension());
        left = Reth.length(bytes, packet.extension());
        if (left > RcAttributes.MOST_BYTES) {
            invalid();
            return false;
        }
        if (left > 0 && !memory.allows(rkey, address, left, Access.REMOTE_WRITE)) {
            fail(Aeth.NAK_ACCESS);
            return false;
        }
        return true;
    }

    /** A message is whole that completes a receive. */
    private void arrived(Packet packet, Arrival kind, int word) {
        if (!receives.complete(kind, length, word)) {
            fail(Aeth.NAK_OPERATION);
            return;
        }
        msn++;
        advance(packet, true);
    }

    private void advance(Packet packet, boolean received) {
        if (packet.isAckRequested()) {
            answers.acknowledge(expected, msn, received);
        } else if (received && attributes.unaskedAcks()) {
            answers.owe(expected, msn);
        }
        expected = Psn.plus(expected, 1);
    }

    private void read(Packet packet) {
        ByteBuffer bytes = packet.buffer();
        long from = Reth.address(bytes, packet.extension());
        int key = Reth.rkey(bytes, packet.extension());
        long count = Reth.length(bytes, packet.extension());
        long packets = attributes.packets(count);
        if (!answers.hasRoom() || packets > RcAttributes.MOST_PACKETS || count > RcAttributes.MOST_BYTES) {
            invalid();
        } else if (count > 0 && !memory.allows(key, from, count, Access.REMOTE_READ)) {
            fail(Aeth.NAK_ACCESS);
        } else {
            msn++;
            answers.read(expected, (int) packets, msn, from, key, count);
            expected = Psn.plus(expected, (int) packets);
        }
    }

    private void atomic(Packet packet) {
        ByteBuffer bytes = packet.buffer();
        int at = packet.extension();
        long target = AtomicEth.address(bytes, at);
        int key = AtomicEth.rkey(bytes, at);
        if (!answers.hasRoom() || (target & Long.BYTES - 1) != 0) {
            invalid();
        } else if (!memory.allows(key, target, Long.BYTES, Access.REMOTE_ATOMIC)) {
            fail(Aeth.NAK_ACCESS);
        } else {
            long operand = AtomicEth.swapOrAdd(bytes, at);
            long found = packet.opcode() == Opcode.FETCH_ADD ? memory.fetchAndAdd(key, target, operand)
                    : memory.compareAndSwap(key, target, AtomicEth.compare(bytes, at), operand);
            msn++;
            answers.atomic(expected, msn, found);
            expected = Psn.plus(expected, 1);
        }
    }

    private void invalid() {
        fail(Aeth.NAK_INVALID);
    }

    /** A request failed: nothing more is executed. */
    private void fail(int syndrome) {
        active = false;
        answers.refuse(syndrome, expected, msn);
        receives.failed();
    }

    /** The QP is in ERR: requests are dropped. */
    void stop() {
        active = false;
    }
}
