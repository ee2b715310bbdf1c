package org.jvrpc.roce.rc;

import org.jvrpc.roce.wire.Opcode;
import org.jvrpc.roce.wire.Psn;
import org.jvrpc.verbs.WcStatus;

/** A WR between its fetch and its completion. Filled by the send queue, and again for a later WR. */
public final class SendWork {

    /** What a WR does, by the opcodes of its packets. */
    public enum Operation {
        /** Message. */
        SEND(Opcode.SEND_FIRST, Opcode.SEND_MIDDLE, Opcode.SEND_LAST, Opcode.SEND_ONLY),
        /** Message with immediate data. */
        SEND_IMM(Opcode.SEND_FIRST, Opcode.SEND_MIDDLE, Opcode.SEND_LAST_IMM, Opcode.SEND_ONLY_IMM),
        /** Message that invalidates an rkey of the peer's. */
        SEND_INVALIDATE(Opcode.SEND_FIRST, Opcode.SEND_MIDDLE, Opcode.SEND_LAST_INVALIDATE,
                Opcode.SEND_ONLY_INVALIDATE),
        /** Write of remote memory. */
        WRITE(Opcode.WRITE_FIRST, Opcode.WRITE_MIDDLE, Opcode.WRITE_LAST, Opcode.WRITE_ONLY),
        /** The same with immediate data. */
        WRITE_IMM(Opcode.WRITE_FIRST, Opcode.WRITE_MIDDLE, Opcode.WRITE_LAST_IMM, Opcode.WRITE_ONLY_IMM),
        /** Read of remote memory. */
        READ(Opcode.READ_REQUEST),
        /** Compare and swap. */
        COMPARE_SWAP(Opcode.COMPARE_SWAP),
        /** Fetch and add. */
        FETCH_ADD(Opcode.FETCH_ADD);

        private final int first;
        private final int middle;
        private final int last;
        private final int only;

        Operation(int first, int middle, int last, int only) {
            this.first = first;
            this.middle = middle;
            this.last = last;
            this.only = only;
        }

        Operation(int only) {
            this(only, only, only, only);
        }

        int opcode(boolean begins, boolean ends) {
            if (begins) {
                return ends ? only : first;
            }
            return ends ? last : middle;
        }

        /** Returns true when it brings something back: it ends with a response of its own. */
        boolean isAnswered() {
            return ordinal() >= READ.ordinal();
        }

        boolean isAtomic() {
            return ordinal() >= COMPARE_SWAP.ordinal();
        }

        boolean isWrite() {
            return this == WRITE || this == WRITE_IMM;
        }
    }

    private Operation operation;
    private long length;
    private long cookie;
    private boolean fenced;
    private boolean solicited;
    private boolean unsignalled;
    private int word;
    private long address;
    private int rkey;
    private long compare;
    private long swapOrAdd;
    private WcStatus refusal;

    /** It has PSNs: its first packet was sent. */
    private boolean begun;
    private int firstPsn;
    private int packets;

    /**
     * Begins to fill in a WR.
     *
     * @param newLength of the message in bytes, 0 to 2^31 - 1; 8 for an atomic
     * @param newCookie the send queue's own
     */
    public SendWork set(Operation newOperation, long newLength, long newCookie) {
        operation = newOperation;
        length = newLength;
        cookie = newCookie;
        fenced = false;
        solicited = false;
        unsignalled = false;
        refusal = null;
        begun = false;
        return this;
    }

    /** Becomes a WR as another was filled in, which has not begun as this one. */
    public SendWork copy(SendWork from) {
        set(from.operation, from.length, from.cookie).flags(from.fenced, from.solicited).remote(from.address, from.rkey)
                .operands(from.compare, from.swapOrAdd).word(from.word).refuse(from.refusal);
        unsignalled = from.unsignalled;
        return this;
    }

    /** Sets how it is ordered and told: after earlier READs and atomics; as a solicited event. */
    public SendWork flags(boolean newFenced, boolean newSolicited) {
        fenced = newFenced;
        solicited = newSolicited;
        return this;
    }

    /** Sets whether nobody waits for its completion. */
    public SendWork unsignalled(boolean on) {
        unsignalled = on;
        return this;
    }

    /** Sets the immediate data, or the rkey to be invalidated. */
    public SendWork word(int newWord) {
        word = newWord;
        return this;
    }

    /** Sets the peer's memory. */
    public SendWork remote(long newAddress, int newRkey) {
        address = newAddress;
        rkey = newRkey;
        return this;
    }

    /** Sets the operands of an atomic. */
    public SendWork operands(long newCompare, long newSwapOrAdd) {
        compare = newCompare;
        swapOrAdd = newSwapOrAdd;
        return this;
    }

    /** It cannot be executed: ends so when its turn comes. */
    public SendWork refuse(WcStatus status) {
        refusal = status;
        return this;
    }

    public Operation operation() {
        return operation;
    }

    /** Returns the length of the message in bytes. */
    public long length() {
        return length;
    }

    /** Returns what the send queue gave it. */
    public long cookie() {
        return cookie;
    }

    boolean isFenced() {
        return fenced;
    }

    boolean isUnsignalled() {
        return unsignalled;
    }

    boolean isSolicited() {
        return solicited;
    }

    int word() {
        return word;
    }

    long address() {
        return address;
    }

    int rkey() {
        return rkey;
    }

    long compare() {
        return compare;
    }

    long swapOrAdd() {
        return swapOrAdd;
    }

    WcStatus refusal() {
        return refusal;
    }

    /** Gives it its PSNs. */
    void begin(int psn, int count) {
        begun = true;
        firstPsn = psn;
        packets = count;
    }

    boolean isBegun() {
        return begun;
    }

    int firstPsn() {
        return firstPsn;
    }

    int packets() {
        return packets;
    }

    /** Returns the PSN behind its last. */
    int endPsn() {
        return Psn.plus(firstPsn, packets);
    }
}
