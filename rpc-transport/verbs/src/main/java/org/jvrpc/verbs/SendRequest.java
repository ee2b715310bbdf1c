package org.jvrpc.verbs;

import java.util.List;
import java.util.Objects;

/**
 * A send to be posted; made by one of the static methods, changed by {@code with…} copies. Immutable.
 *
 * @param opcode what to do
 * @param wrId comes back in the completion
 * @param sges the data, or where it goes, in order; an atomic has one of 8 bytes
 * @param flags bits of {@link #SIGNALLED}, {@link #FENCE}, {@link #INLINE}, {@link #SOLICITED}
 * @param immediate for the opcodes that have it
 * @param remoteAddress for one-sided opcodes
 * @param rkey for one-sided opcodes
 * @param compare for compare-and-swap
 * @param swapOrAdd for atomics
 * @param destination of a datagram, which is a SEND of a UD QP; null for requests of RC QPs
 */
public record SendRequest(
        Opcode opcode,
        long wrId,
        List<Sge> sges,
        int flags,
        int immediate,
        long remoteAddress,
        int rkey,
        long compare,
        long swapOrAdd,
        Destination destination) {

    /** Success is reported by a completion. */
    public static final int SIGNALLED = 1;
    /** Begins after earlier READs and atomics of the QP have brought their results. */
    public static final int FENCE = 2;
    /**
     * The data is copied into the WQE when posted, and may change from then on. The lkeys must be right all the same:
     * a card does not look at them, but software cannot read addresses that it does not know, and finds them by key.
     */
    public static final int INLINE = 4;
    /** Travels to the receiver; the CQs of this package wake for any completion, solicited or not. */
    public static final int SOLICITED = 8;

    /** What a send does. */
    public enum Opcode {
        /** Message into the peer's next receive. */
        SEND,
        /** The same with 4 bytes of immediate data. */
        SEND_WITH_IMM,
        /** Writes remote memory. */
        RDMA_WRITE,
        /** The same, and takes a receive, with 4 bytes of immediate data. */
        RDMA_WRITE_WITH_IMM,
        /** Reads remote memory. */
        RDMA_READ,
        /** 8 bytes: stores a value where another is found; brings what was found. */
        COMPARE_SWAP,
        /** 8 bytes: adds; brings what was found. */
        FETCH_ADD;

        /** Returns true when immediate data travels. */
        public boolean hasImmediate() {
            return this == SEND_WITH_IMM || this == RDMA_WRITE_WITH_IMM;
        }

        /** Returns true when it names remote memory. */
        public boolean isOneSided() {
            return ordinal() >= RDMA_WRITE.ordinal();
        }

        /** Returns true for the two atomics. */
        public boolean isAtomic() {
            return ordinal() >= COMPARE_SWAP.ordinal();
        }
    }

    /** Copies the list and checks it. */
    public SendRequest {
        sges = List.copyOf(sges);
        if (opcode.isAtomic() && (sges.size() != 1 || sges.get(0).length() != 8)) {
            throw new IllegalArgumentException("an atomic has one SGE of 8 bytes, sges=" + sges);
        }
        if ((flags & INLINE) != 0 && (opcode == Opcode.RDMA_READ || opcode.isAtomic())) {
            throw new IllegalArgumentException("INLINE is for requests that send data, opcode=" + opcode);
        }
        if (destination != null && opcode.isOneSided()) {
            throw new IllegalArgumentException("a datagram is a SEND, with or without immediate, opcode=" + opcode);
        }
    }

    /** Makes a request without a destination, for an RC QP. */
    public SendRequest(
            Opcode opcode,
            long wrId,
            List<Sge> sges,
            int flags,
            int immediate,
            long remoteAddress,
            int rkey,
            long compare,
            long swapOrAdd) {
        this(opcode, wrId, sges, flags, immediate, remoteAddress, rkey, compare, swapOrAdd, null);
    }

    private static SendRequest plain(Opcode opcode, long wrId, int immediate, Sge... sges) {
        return new SendRequest(opcode, wrId, List.of(sges), 0, immediate, 0, 0, 0, 0);
    }

    private static SendRequest oneSided(Opcode opcode, long wrId, long address, int rkey, int immediate, Sge... sges) {
        return new SendRequest(opcode, wrId, List.of(sges), 0, immediate, address, rkey, 0, 0);
    }

    /** A message. */
    public static SendRequest send(long wrId, Sge... sges) {
        return plain(Opcode.SEND, wrId, 0, sges);
    }

    /** A message with immediate data. */
    public static SendRequest sendWithImmediate(long wrId, int immediate, Sge... sges) {
        return plain(Opcode.SEND_WITH_IMM, wrId, immediate, sges);
    }

    /** A message of a UD QP. */
    public static SendRequest datagram(long wrId, Destination destination, Sge... sges) {
        return to(destination, Opcode.SEND, wrId, 0, sges);
    }

    /** A message of a UD QP, with immediate data. */
    public static SendRequest datagramWithImmediate(long wrId, int immediate, Destination destination, Sge... sges) {
        return to(destination, Opcode.SEND_WITH_IMM, wrId, immediate, sges);
    }

    private static SendRequest to(Destination destination, Opcode opcode, long wrId, int immediate, Sge... sges) {
        return new SendRequest(opcode, wrId, List.of(sges), 0, immediate, 0, 0, 0, 0,
                Objects.requireNonNull(destination, "destination"));
    }

    /** A write of remote memory. */
    public static SendRequest write(long wrId, long remoteAddress, int rkey, Sge... sges) {
        return oneSided(Opcode.RDMA_WRITE, wrId, remoteAddress, rkey, 0, sges);
    }

    /** A write of remote memory that takes a receive. */
    public static SendRequest writeWithImmediate(long wrId, long remoteAddress, int rkey, int immediate, Sge... sges) {
        return oneSided(Opcode.RDMA_WRITE_WITH_IMM, wrId, remoteAddress, rkey, immediate, sges);
    }

    /** A read of remote memory. */
    public static SendRequest read(long wrId, long remoteAddress, int rkey, Sge... sges) {
        return oneSided(Opcode.RDMA_READ, wrId, remoteAddress, rkey, 0, sges);
    }

    /** A compare-and-swap of 8 aligned bytes; the old value goes to {@code result}. */
    public static SendRequest compareAndSwap(
            long wrId, long remoteAddress, int rkey, long compare, long swap, Sge result) {
        return new SendRequest(
                Opcode.COMPARE_SWAP, wrId, List.of(result), 0, 0, remoteAddress, rkey, compare, swap);
    }

    /** A fetch-and-add of 8 aligned bytes; the old value goes to {@code result}. */
    public static SendRequest fetchAndAdd(long wrId, long remoteAddress, int rkey, long add, Sge result) {
        return new SendRequest(Opcode.FETCH_ADD, wrId, List.of(result), 0, 0, remoteAddress, rkey, 0, add);
    }

    private SendRequest with(int flag) {
        return new SendRequest(
                opcode, wrId, sges, flags | flag, immediate, remoteAddress, rkey, compare, swapOrAdd,
                destination);
    }

    /** Returns a copy whose success is reported. */
    public SendRequest signalled() {
        return with(SIGNALLED);
    }

    /** Returns a copy that waits for earlier READs and atomics. */
    public SendRequest fenced() {
        return with(FENCE);
    }

    /** Returns a copy whose data travels in the WQE. */
    public SendRequest inline() {
        return with(INLINE);
    }

    /** Returns a copy that is a solicited event at the receiver. */
    public SendRequest solicited() {
        return with(SOLICITED);
    }

    /** Returns true when a flag is set. */
    public boolean has(int flag) {
        return (flags & flag) != 0;
    }
}
