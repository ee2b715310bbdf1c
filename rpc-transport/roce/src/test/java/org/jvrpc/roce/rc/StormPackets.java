package org.jvrpc.roce.rc;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.jvrpc.roce.rc.SendWork.Operation;
import org.jvrpc.roce.wire.Aeth;
import org.jvrpc.roce.wire.AtomicEth;
import org.jvrpc.roce.wire.Bth;
import org.jvrpc.roce.wire.Opcode;
import org.jvrpc.roce.wire.Psn;
import org.jvrpc.roce.wire.Reth;

/** Packets that a QP might expect, and what one change makes of them. */
final class StormPackets {

    /** Longer than any packet may be. */
    static final int ROOM = 9000;
    private static final int[] REQUESTS = {Opcode.SEND_FIRST, Opcode.SEND_ONLY, Opcode.SEND_ONLY_IMM,
        Opcode.SEND_ONLY_INVALIDATE, Opcode.WRITE_FIRST, Opcode.WRITE_ONLY, Opcode.WRITE_ONLY_IMM,
        Opcode.READ_REQUEST, Opcode.COMPARE_SWAP, Opcode.FETCH_ADD};
    private static final int[] IN_SEND = {Opcode.SEND_MIDDLE, Opcode.SEND_LAST, Opcode.SEND_LAST_IMM,
        Opcode.SEND_LAST_INVALIDATE};
    private static final int[] IN_WRITE = {Opcode.WRITE_MIDDLE, Opcode.WRITE_LAST, Opcode.WRITE_LAST_IMM};
    private static final int[] EXTREMES = {0, 1, -1, 0x7fffffff, 0x80000000, 0xffff, 0x10000, 0xff, 0x100, 0x7fffff,
        0x800000, 0xffffff};
    private static final int[] SYNDROMES = {Aeth.ACK, Aeth.ACK, Aeth.NAK_SEQUENCE, Aeth.RNR_NAK | 1, Aeth.RNR_NAK,
        Aeth.NAK_INVALID, Aeth.NAK_ACCESS, Aeth.NAK_OPERATION, 0x64, 0x40, 0x80, 0xff, 0};

    final ByteBuffer bytes = ByteBuffer.allocate(ROOM);
    int length;
    private final SplittableRandom random;
    private final int qpn;
    /** The message that comes in: its opcodes, and what its WRITE says that is missing. */
    private int[] open;
    private int left;
    private int nextLeft;

    StormPackets(SplittableRandom random, int qpn) {
        this.random = random;
        this.qpn = qpn;
    }

    private int any(int[] of) {
        return of[random.nextInt(of.length)];
    }

    private int near(int psn) {
        int kind = random.nextInt(16);
        return kind < 12 ? psn : Psn.plus(psn, kind < 14 ? -1 - random.nextInt(4) : 1 + random.nextInt(4));
    }

    /** Makes a request that may come next, once more, or ahead of one that is missing. */
    void request(int expected) {
        int opcode = any(open == null ? REQUESTS : open);
        int headers = Opcode.headerBytes(opcode);
        boolean ends = Opcode.ends(opcode);
        int payload = ends ? random.nextInt(StormHost.MTU + 1) : StormHost.MTU;
        int total = ends ? payload : payload + 1 + random.nextInt(2 * StormHost.MTU);
        if (Opcode.isWrite(opcode) && open != null && ends) {
            payload = Math.min(left, StormHost.MTU);
        }
        if (opcode == Opcode.READ_REQUEST || Opcode.isAtomic(opcode)) {
            payload = 0;
        }
        nextLeft = (Opcode.begins(opcode) ? total : left) - payload;
        int key = random.nextInt(32) == 0 ? random.nextInt() : StormHost.RKEY;
        long address = StormHost.OPEN_FROM + (random.nextInt(StormHost.OPEN_TO - StormHost.OPEN_FROM) & ~7);
        if (opcode == Opcode.READ_REQUEST) {
            Reth.write(bytes, Bth.BYTES, address, key, random.nextInt(StormHost.LONGEST));
        } else if (Opcode.isAtomic(opcode)) {
            AtomicEth.write(bytes, Bth.BYTES, address, key, random.nextLong(), random.nextLong());
        } else if (Opcode.isWrite(opcode) && Opcode.begins(opcode)) {
            address = Math.min(address, StormHost.OPEN_TO - StormHost.LONGEST);
            Reth.write(bytes, Bth.BYTES, address, key, total);
        }
        if (headers > Bth.BYTES && (Opcode.hasImmediate(opcode) || Opcode.isInvalidate(opcode))) {
            bytes.putInt(headers - 4, random.nextInt(4) == 0 ? random.nextInt() : StormHost.RKEY);
        }
        finish(opcode, payload, near(expected));
    }

    /** A request was executed: another may follow. */
    void executed() {
        int opcode = Bth.opcode(bytes, 0);
        left = nextLeft;
        open = Opcode.isSend(opcode) && !Opcode.ends(opcode) ? IN_SEND
                : Opcode.isWrite(opcode) && !Opcode.ends(opcode) ? IN_WRITE : null;
    }

    /** Makes a response that the oldest WR may have, or one that is forged. */
    void response(StormHost host, int unacknowledged, int next) {
        boolean forged = random.nextInt(4) == 0 || host.ended >= host.fetched;
        Operation operation = forged ? null : host.operation(host.ended);
        int span = Math.max(1, Psn.difference(next, unacknowledged));
        if (operation == Operation.READ) {
            readResponse(host, unacknowledged);
        } else if (operation != null && operation.isAtomic()) {
            aeth(Aeth.ACK);
            bytes.putLong(Bth.BYTES + Aeth.BYTES, random.nextLong());
            finish(Opcode.ATOMIC_ACKNOWLEDGE, 0, near(unacknowledged));
        } else if (!forged) {
            aeth(random.nextInt(8) == 0 ? any(SYNDROMES) : Aeth.ACK);
            finish(Opcode.ACKNOWLEDGE, 0, near(Psn.plus(unacknowledged, random.nextInt(span))));
        } else {
            aeth(any(SYNDROMES));
            finish(Opcode.READ_RESPONSE_FIRST + random.nextInt(6), random.nextInt(StormHost.MTU + 1),
                    near(Psn.plus(unacknowledged, random.nextInt(span))));
        }
    }

    private void readResponse(StormHost host, int unacknowledged) {
        int length = host.length(host.ended);
        int came = (int) host.came(host.ended);
        int payload = Math.min(StormHost.MTU, length - came);
        boolean begins = came == 0;
        boolean ends = came + payload == length;
        aeth(Aeth.ACK);
        finish(begins ? ends ? Opcode.READ_RESPONSE_ONLY : Opcode.READ_RESPONSE_FIRST
                : ends ? Opcode.READ_RESPONSE_LAST : Opcode.READ_RESPONSE_MIDDLE, payload, near(unacknowledged));
    }

    private void aeth(int syndrome) {
        Aeth.write(bytes, Bth.BYTES, syndrome, random.nextInt());
    }

    private void finish(int opcode, int payload, int psn) {
        int pad = -payload & 3;
        length = Opcode.headerBytes(opcode) + payload + pad;
        Bth.write(bytes, 0, opcode, pad, random.nextBoolean(), random.nextInt(4) != 0, qpn, psn);
    }

    /** Changes one field of a header, one bit, or the length; the change may be none. */
    void change() {
        int headers = Math.max(Bth.BYTES, Math.min(length, Opcode.headerBytes(Bth.opcode(bytes, 0))));
        int value = random.nextBoolean() ? any(EXTREMES) : random.nextInt();
        switch (random.nextInt(14)) {
            case 0 -> bytes.put(0, (byte) (random.nextBoolean() ? random.nextInt(0x18) : value));
            case 1 -> bytes.put(1, (byte) value);
            case 2 -> bytes.putShort(2, (short) value);
            case 3 -> bytes.put(4, (byte) value);
            case 4 -> bytes.putInt(4, bytes.getInt(4) & ~0xffffff | value & 0xffffff);
            case 5 -> bytes.put(8, (byte) value);
            case 6 -> bytes.putInt(8, bytes.getInt(8) & ~Psn.MASK | value & Psn.MASK);
            case 7 -> bytes.putInt(8, bytes.getInt(8) & ~Psn.MASK
                    | Psn.plus(Bth.psn(bytes, 0), random.nextInt(64) - 32 + (value & 1) * Psn.HALF));
            case 8, 9 -> { // the fields of other headers are words, or begin where words do
                if (headers > Bth.BYTES) {
                    bytes.putInt(Bth.BYTES + 4 * random.nextInt((headers - Bth.BYTES) / 4), value);
                }
            }
            case 10 -> bytes.put(Math.min(headers, Bth.BYTES), (byte) value);
            case 11 -> length = random.nextInt(length + 1);
            case 12 -> length += random.nextInt(ROOM - 8 - length);
            default -> {
                int bit = random.nextInt(8 * Math.max(1, length));
                bytes.put(bit >>> 3, (byte) (bytes.get(bit >>> 3) ^ 1 << (bit & 7)));
            }
        }
    }
}
