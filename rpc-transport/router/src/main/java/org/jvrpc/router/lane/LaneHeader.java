package org.jvrpc.router.lane;

import java.nio.ByteBuffer;
import org.jvrpc.mlx5.Wqe;

/**
 * What stands before the data of each message of a lane, little-endian:
 *
 * <pre>
 *  0 kind:8 | 1 flags:8 | 2 0:16 | 4 bytes of data behind:32 | 8 connection, by the receiver's number:32
 * 12 sequence:32 | 16 epoch of the connection:64 | 24 all before this sequence came:32 | 28 opcode, or status:32
 * 32 remote address of the whole:64 | 40 rkey:32 | 44 immediate:32 | 48 bytes of the whole:32 | 52 bytes before:32
 * 56 connection, by the sender's number:32 | 60 0:32
 * </pre>
 */
final class LaneHeader {

    static final int BYTES = 64;

    /** A SEND or a WRITE, or a piece. */
    static final int DATA = 1;
    /** A READ, or a piece: {@link #total} is how much is asked for here. */
    static final int READ = 2;
    /** An atomic; its operands, of 8 bytes each, are its data. */
    static final int ATOMIC = 3;
    /** What a READ or an atomic brings. */
    static final int ANSWER = 4;
    /** Nothing else than that something came. */
    static final int ACK = 5;
    /** The sequence could not be taken, nor what came behind it: all that again, later. */
    static final int AGAIN = 6;
    /** The sequence has failed. */
    static final int FAILED = 7;
    /** A datagram, of a way and not of a connection: address is its QP and who sends, and rkey its queue key. */
    static final int DATAGRAM = 8;

    /** A SEND or a WRITE, or a piece, whose bytes lie in memory that the receiver may READ: see {@link #offer}. */
    static final int OFFER = 16;
    /** A READ, or a piece, of {@link #total} bytes that its sender wants to READ itself. */
    static final int ASK = 17;
    /** It may READ what it {@link #ASK}ed for: by the address and rkey of this. */
    static final int GRANT = 18;
    /** That is done. */
    static final int DONE = 19;
    /** What was offered or asked for at this sequence was not: it has to come again there, by copies. */
    static final int REDO = 20;

    /** Bytes behind the header of an {@link #OFFER}: address:64, rkey:32, bytes:32. */
    static final int OFFER_BYTES = 16;

    /** Of {@link #DONE}: nothing came, and the same sequence comes again. */
    static final int ABANDONED = 1;
    /** Of {@link #DATA}: its sender waits for word that it came. */
    static final int ASKS = 1;
    /** Of {@link #AGAIN}: for want of room or because the QP is being connected, not of a receive. */
    static final int BUSY = 2;

    private LaneHeader() {
    }

    /** Returns the kind of message for an opcode. @param directly without a copy */
    static int kindOf(int opcode, boolean directly) {
        return switch (opcode) {
            case Wqe.RDMA_READ -> directly ? ASK : READ;
            case Wqe.ATOMIC_CS, Wqe.ATOMIC_FA, Wqe.ATOMIC_MASKED_CS, Wqe.ATOMIC_MASKED_FA -> ATOMIC;
            default -> directly ? OFFER : DATA;
        };
    }

    /** Tells whether a message of a kind may be. */
    static boolean isKind(int kind) {
        return kind >= DATA && kind <= DATAGRAM || kind >= OFFER && kind <= REDO;
    }

    /** Tells whether it has a sequence that its receiver says something of. */
    static boolean isRequest(int kind) {
        return kind >= DATA && kind <= ATOMIC || kind == OFFER || kind == ASK;
    }

    /** Writes what an {@link #OFFER} has behind its header. */
    static void offer(ByteBuffer memory, int at, long address, int rkey, int bytes) {
        memory.putLong(at + BYTES, address);
        memory.putInt(at + BYTES + 8, rkey);
        memory.putInt(at + BYTES + 12, bytes);
    }

    static long offeredAddress(ByteBuffer memory, int at) {
        return memory.getLong(at + BYTES);
    }

    static int offeredKey(ByteBuffer memory, int at) {
        return memory.getInt(at + BYTES + 8);
    }

    static int offeredBytes(ByteBuffer memory, int at) {
        return memory.getInt(at + BYTES + 12);
    }

    static void begin(ByteBuffer memory, int at, int kind, int destination, int source, long epoch, int sequence) {
        memory.putInt(at, kind);
        memory.putInt(at + 4, 0);
        memory.putInt(at + 8, destination);
        memory.putInt(at + 12, sequence);
        memory.putLong(at + 16, epoch);
        memory.putLong(at + 24, 0);
        memory.putLong(at + 32, 0);
        memory.putLong(at + 40, 0);
        memory.putLong(at + 48, 0);
        memory.putLong(at + 56, source & 0xffffffffL);
    }

    static int kind(ByteBuffer memory, int at) {
        return memory.get(at) & 0xff;
    }

    static int flags(ByteBuffer memory, int at) {
        return memory.get(at + 1) & 0xff;
    }

    static void flags(ByteBuffer memory, int at, int flags) {
        memory.put(at + 1, (byte) flags);
    }

    static int length(ByteBuffer memory, int at) {
        return memory.getInt(at + 4);
    }

    static void length(ByteBuffer memory, int at, int bytes) {
        memory.putInt(at + 4, bytes);
    }

    static int destination(ByteBuffer memory, int at) {
        return memory.getInt(at + 8);
    }

    static int source(ByteBuffer memory, int at) {
        return memory.getInt(at + 56);
    }

    static int sequence(ByteBuffer memory, int at) {
        return memory.getInt(at + 12);
    }

    static long epoch(ByteBuffer memory, int at) {
        return memory.getLong(at + 16);
    }

    static int came(ByteBuffer memory, int at) {
        return memory.getInt(at + 24);
    }

    static void came(ByteBuffer memory, int at, int sequence) {
        memory.putInt(at + 24, sequence);
    }

    static int opcode(ByteBuffer memory, int at) {
        return memory.getInt(at + 28);
    }

    static void opcode(ByteBuffer memory, int at, int opcode) {
        memory.putInt(at + 28, opcode);
    }

    static long address(ByteBuffer memory, int at) {
        return memory.getLong(at + 32);
    }

    static int rkey(ByteBuffer memory, int at) {
        return memory.getInt(at + 40);
    }

    static void remote(ByteBuffer memory, int at, long address, int rkey) {
        memory.putLong(at + 32, address);
        memory.putInt(at + 40, rkey);
    }

    static int immediate(ByteBuffer memory, int at) {
        return memory.getInt(at + 44);
    }

    static void immediate(ByteBuffer memory, int at, int immediate) {
        memory.putInt(at + 44, immediate);
    }

    static int total(ByteBuffer memory, int at) {
        return memory.getInt(at + 48);
    }

    static int skip(ByteBuffer memory, int at) {
        return memory.getInt(at + 52);
    }

    static void part(ByteBuffer memory, int at, int total, int skip) {
        memory.putInt(at + 48, total);
        memory.putInt(at + 52, skip);
    }
}
