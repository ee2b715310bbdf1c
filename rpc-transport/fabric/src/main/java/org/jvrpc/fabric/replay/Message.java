package org.jvrpc.fabric.replay;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import org.jvrpc.roce.rc.SendWork.Operation;
import org.jvrpc.roce.wire.AtomicEth;
import org.jvrpc.roce.wire.Opcode;
import org.jvrpc.roce.wire.Psn;
import org.jvrpc.roce.wire.Reth;

/**
 * A message of a side, put together of its packets.
 *
 * @param first its first packet
 * @param packets PSNs that it takes
 */
record Message(Operation operation, long length, CapturedPacket first, int packets) {

    private static final int EXTENSION = 12;

    /**
     * The messages of a side, and what could not be put together.
     *
     * @param appears for each message, the frame from which on it was there: its first, or one of what is behind it
     * @param stop the first packet that is not in them
     */
    record Script(List<Message> messages, List<Integer> appears, int firstPsn, CapturedPacket stop, String stopped) {
    }

    /** Puts together what a side sent, in the order of PSNs: a packet may be captured first when it is sent again. */
    static Script script(Flow flow, int side) {
        List<Message> messages = new ArrayList<>();
        List<Integer> appears = new ArrayList<>();
        CapturedPacket first = null;
        int firstPsn = -1;
        int next = -1;
        int earliest = 0;
        CapturedPacket stop = null;
        String stopped = null;
        for (CapturedPacket packet : byPsn(flow, side)) {
            boolean begins = Opcode.begins(packet.opcode());
            if (firstPsn < 0) {
                if (!begins) {
                    continue; // the capture begins within a message
                }
                firstPsn = packet.psn();
                next = firstPsn;
            }
            int ahead = Psn.difference(packet.psn(), next);
            if (ahead < 0) {
                continue;
            }
            if (begins == (first != null) || ahead > 0 && begins) {
                stop = first == null ? packet : first;
                stopped = "the capture lacks what is before " + packet.words();
                first = null;
                break;
            }
            earliest = begins ? packet.number() : Math.min(earliest, packet.number());
            first = begins ? packet : first;
            next = packet.endPsn(flow.mtu());
            if (Opcode.ends(packet.opcode())) {
                messages.add(of(first, packet, next, flow.mtu()));
                appears.add(earliest);
                first = null;
            }
        }
        for (int i = appears.size() - 2; i >= 0; i--) {
            appears.set(i, Math.min(appears.get(i), appears.get(i + 1))); // what is before it was posted, too
        }
        return first == null ? new Script(messages, appears, firstPsn, stop, stopped)
                : new Script(messages, appears, firstPsn, first, "the capture ends within a message");
    }

    /** Returns the first packet of each PSN that a side sent. */
    private static Collection<CapturedPacket> byPsn(Flow flow, int side) {
        TreeMap<Long, CapturedPacket> sorted = new TreeMap<>();
        long place = 0;
        int last = -1;
        for (CapturedPacket packet : flow.all()) {
            if (!packet.isResponse() && flow.side(packet) == side) {
                place += last < 0 ? 0 : Psn.difference(packet.psn(), last);
                last = packet.psn();
                sorted.putIfAbsent(place, packet);
            }
        }
        return sorted.values();
    }

    private static Message of(CapturedPacket first, CapturedPacket last, int end, int mtu) {
        int packets = Psn.difference(end, first.psn());
        long length = first.isRead() ? first.readBytes()
                : Opcode.isAtomic(first.opcode()) ? Long.BYTES : (packets - 1L) * mtu + last.length();
        return new Message(operation(last.opcode()), length, first, packets);
    }

    private static Operation operation(int opcode) {
        if (Opcode.isSend(opcode)) {
            return Opcode.isInvalidate(opcode) ? Operation.SEND_INVALIDATE
                    : Opcode.hasImmediate(opcode) ? Operation.SEND_IMM : Operation.SEND;
        }
        if (Opcode.isWrite(opcode)) {
            return Opcode.hasImmediate(opcode) ? Operation.WRITE_IMM : Operation.WRITE;
        }
        return opcode == Opcode.READ_REQUEST ? Operation.READ
                : opcode == Opcode.FETCH_ADD ? Operation.FETCH_ADD : Operation.COMPARE_SWAP;
    }

    boolean isAtomic() {
        return operation == Operation.FETCH_ADD || operation == Operation.COMPARE_SWAP;
    }

    long address() {
        return isAtomic() ? AtomicEth.address(first.bytes(), EXTENSION)
                : operation == Operation.READ || operation == Operation.WRITE || operation == Operation.WRITE_IMM
                        ? Reth.address(first.bytes(), EXTENSION) : 0;
    }

    int rkey() {
        return isAtomic() ? AtomicEth.rkey(first.bytes(), EXTENSION)
                : operation == Operation.READ || operation == Operation.WRITE || operation == Operation.WRITE_IMM
                        ? Reth.rkey(first.bytes(), EXTENSION) : 0;
    }
}
