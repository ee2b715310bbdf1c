package org.jvrpc.roce.rc;

import java.nio.ByteBuffer;
import org.jvrpc.roce.wire.Aeth;
import org.jvrpc.roce.wire.Bth;
import org.jvrpc.roce.wire.Opcode;
import org.jvrpc.roce.wire.Packet;
import org.jvrpc.roce.wire.Pad;
import org.jvrpc.roce.wire.Psn;
import org.jvrpc.roce.wire.Reth;

/**
 * What a responder sends: answers to READs and atomics, which it keeps for duplicates, then the acknowledgement of what
 * came behind them. Answers leave in the order of their PSNs, as far as packets may leave.
 */
final class Answers {

    /** An answer to a READ or atomic, with its PSNs. */
    private static final class Answer {

        private boolean atomic;
        private int firstPsn;
        private int packets;
        private int sent;
        private int msn;
        private long address;
        private int rkey;
        private long length;
        private long found;

        boolean holds(int psn) {
            int index = Psn.difference(psn, firstPsn);
            return index >= 0 && index < packets;
        }
    }

    private static final int NOTHING = -1;
    /** So many messages that a peer asks one for have it sent at once. */
    private static final int MOST_HELD = 8;
    /** As many of a peer that asks for each 16th packet's alone. */
    private static final int MOST_UNASKED = 32;
    /** So many that nobody asked one for have it sent when there is nothing else to do. */
    private static final int MOST_OWED = 17;

    private final Answer[] kept;
    private final RemoteMemory memory;
    private final PacketSink sink;
    private final RcCounters counters;
    private final int mtu;
    private final int qpn;
    private final boolean goBackZero;
    private final int mostHeld;
    /** Answers that there ever were; the latest are kept. */
    private long count;
    /** The next to be sent. */
    private long due;
    /** The first that was never sent whole: those before it are sent for duplicates. */
    private long fresh;
    private boolean failed;
    private int syndrome = NOTHING;
    private int syndromePsn;
    private int syndromeMsn;
    /** Messages since the last left that one is due for. */
    private int held;
    /** The peer asked for it. */
    private boolean asked;

    Answers(RemoteMemory memory, PacketSink sink, RcAttributes attributes, RcCounters counters, int qpn) {
        this.memory = memory;
        this.sink = sink;
        this.counters = counters;
        this.mtu = attributes.mtu();
        this.qpn = qpn;
        this.goBackZero = attributes.goBackZero();
        this.mostHeld = attributes.unaskedAcks() ? MOST_UNASKED : MOST_HELD;
        this.kept = new Answer[attributes.maxDestRdAtomic()];
        for (int i = 0; i < kept.length; i++) {
            kept[i] = new Answer();
        }
    }

    private Answer answer(long number) {
        return kept[(int) (number % kept.length)];
    }

    /** Returns true when another READ or atomic may be under way. */
    boolean hasRoom() {
        return count - fresh < kept.length;
    }

    private Answer next(int psn, int packets, int msn) {
        if (count - due == kept.length) {
            due++; // it was sent for a duplicate
        }
        Answer answer = answer(count++);
        answer.firstPsn = psn;
        answer.packets = packets;
        answer.sent = 0;
        answer.msn = msn;
        return answer;
    }

    /** Answers a READ whose memory was looked at. */
    void read(int psn, int packets, int msn, long address, int rkey, long length) {
        Answer answer = next(psn, packets, msn);
        answer.atomic = false;
        answer.address = address;
        answer.rkey = rkey;
        answer.length = length;
    }

    /** Answers an atomic with what it found. */
    void atomic(int psn, int msn, long found) {
        Answer answer = next(psn, 1, msn);
        answer.atomic = true;
        answer.found = found;
    }

    /**
     * Has an acknowledgement sent for all up to a PSN. A NAK that waits goes first, and says as much.
     *
     * @param mayWait for a message that somebody has received, and will answer perhaps
     */
    void acknowledge(int psn, int msn, boolean mayWait) {
        if (isNakFree()) {
            refuse(Aeth.ACK, psn, msn);
            held += mayWait ? 1 : mostHeld;
            asked = true;
        }
    }

    /** As {@link #acknowledge}, of a message that the peer asks none for: one for several will do, soon. */
    void owe(int psn, int msn) {
        if (isNakFree()) {
            refuse(Aeth.ACK, psn, msn);
            held++;
        }
    }

    private boolean isNakFree() {
        return syndrome == NOTHING || syndrome == Aeth.ACK;
    }

    private boolean isOwed() {
        return syndrome == Aeth.ACK && !asked && held < MOST_OWED;
    }

    /** Returns true when an acknowledgement was asked for that nobody needs at once. */
    boolean mayWait() {
        return syndrome == Aeth.ACK && held < mostHeld;
    }

    /** Returns true when one waits that leaves as soon as there is nothing else to do. */
    boolean isAsked() {
        return mayWait() && !isOwed();
    }

    /** Has a NAK sent for a PSN. */
    void refuse(int newSyndrome, int psn, int msn) {
        syndrome = newSyndrome;
        syndromePsn = psn;
        syndromeMsn = msn;
    }

    /** The request that a NAK speaks of is there: takes the NAK back where it has not left. */
    void withdraw() {
        if (syndrome == Aeth.NAK_SEQUENCE || Aeth.isRnrNak(syndrome)) {
            syndrome = NOTHING;
        }
    }

    /** Sends once more what a READ asks for that came before; nothing where that is not kept. */
    void repeatRead(Packet packet) {
        int psn = packet.psn();
        long number = find(psn);
        if (number == NOTHING) {
            return;
        }
        Answer answer = answer(number);
        ByteBuffer bytes = packet.buffer();
        int index = Psn.difference(psn, answer.firstPsn);
        long from = (long) index * mtu;
        if (answer.atomic || Reth.rkey(bytes, packet.extension()) != answer.rkey
                || Reth.address(bytes, packet.extension()) != answer.address + from
                || Reth.length(bytes, packet.extension()) != answer.length - from) {
            return;
        }
        again(number, index);
    }

    /** Sends once more what an atomic found that came before; nothing where that is not kept. */
    void repeatAtomic(int psn) {
        long number = find(psn);
        if (number != NOTHING && answer(number).atomic) {
            again(number, 0);
        }
    }

    private long find(int psn) {
        long oldest = Math.max(count - kept.length, 0);
        for (long number = count - 1; number >= oldest; number--) {
            if (answer(number).holds(psn)) {
                return number;
            }
        }
        return NOTHING;
    }

    private void again(long number, int index) {
        Answer answer = answer(number);
        if (number > due) {
            answer.sent = Math.min(answer.sent, index); // its turn comes
            return;
        }
        answer.sent = number == due ? Math.min(answer.sent, index) : index;
        due = number; // those behind it are whole, until they are asked for again
    }

    /** Sends what may be sent now. */
    void progress(Urgency urgency) {
        while (due != count) {
            Answer answer = answer(due);
            while (answer.sent < answer.packets) {
                if (!sink.isReady()) {
                    return;
                }
                if (!send(answer)) {
                    fail(answer);
                    return;
                }
            }
            due++;
            fresh = Math.max(fresh, due);
        }
        if (syndrome != NOTHING && isDue(urgency) && sink.isReady()) {
            sendSyndrome();
        }
    }

    private boolean isDue(Urgency urgency) {
        return switch (urgency) {
            case ALL -> true;
            case ASKED -> !isOwed();
            case FIRST -> !mayWait();
        };
    }

    /** The key of a READ was taken back: nothing more is answered. */
    private void fail(Answer answer) {
        failed = true;
        due = count;
        refuse(Aeth.NAK_ACCESS, Psn.plus(answer.firstPsn, answer.sent), answer.msn);
    }

    /** Returns true when an answer could not be read from memory. */
    boolean haveFailed() {
        return failed;
    }

    private void sendSyndrome() {
        ByteBuffer packet = sink.buffer();
        int at = sink.offset();
        Bth.write(packet, at, Opcode.ACKNOWLEDGE, 0, false, false, qpn, syndromePsn);
        Aeth.write(packet, at + Bth.BYTES, syndrome, syndromeMsn);
        if (Aeth.isRnrNak(syndrome)) {
            counters.rnrNakSent();
        }
        syndrome = NOTHING;
        held = 0;
        asked = false;
        counters.sent(false);
        sink.send(Bth.BYTES + Aeth.BYTES);
    }

    private boolean send(Answer answer) {
        if (answer.atomic) {
            sendAtomic(answer);
            return true;
        }
        long from = (long) answer.sent * mtu;
        int length = (int) Math.min(mtu, answer.length - from);
        boolean ends = answer.sent == answer.packets - 1;
        int opcode = opcode(answer.sent == 0, ends);
        ByteBuffer packet = sink.buffer();
        int at = sink.offset();
        int payload = at + Opcode.headerBytes(opcode);
        if (length > 0 && !memory.read(answer.rkey, answer.address + from, packet, payload, length)) {
            return false;
        }
        int pad = Pad.write(packet, payload + length, length);
        Bth.write(packet, at, opcode, pad, false, false, qpn, Psn.plus(answer.firstPsn, answer.sent));
        if (Opcode.hasAeth(opcode)) {
            Aeth.write(packet, at + Bth.BYTES, Aeth.ACK, answer.msn);
        }
        answer.sent++;
        counters.sent(false);
        sink.send(payload + length + pad - at);
        return true;
    }

    private static int opcode(boolean begins, boolean ends) {
        if (begins) {
            return ends ? Opcode.READ_RESPONSE_ONLY : Opcode.READ_RESPONSE_FIRST;
        }
        return ends ? Opcode.READ_RESPONSE_LAST : Opcode.READ_RESPONSE_MIDDLE;
    }

    private void sendAtomic(Answer answer) {
        ByteBuffer packet = sink.buffer();
        int at = sink.offset();
        Bth.write(packet, at, Opcode.ATOMIC_ACKNOWLEDGE, 0, false, false, qpn, answer.firstPsn);
        Aeth.write(packet, at + Bth.BYTES, Aeth.ACK, answer.msn);
        packet.putLong(at + Bth.BYTES + Aeth.BYTES, answer.found);
        answer.sent++;
        counters.sent(false);
        sink.send(Bth.BYTES + Aeth.BYTES + Long.BYTES);
    }

    /** Returns true when there is something to send. */
    boolean areDue() {
        return due != count || syndrome != NOTHING;
    }
}
