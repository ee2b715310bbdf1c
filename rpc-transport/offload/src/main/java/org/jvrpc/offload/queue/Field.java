package org.jvrpc.offload.queue;

import org.jvrpc.mlx5.Wqe;

/** A field of a WQE that another WQE may change. Those of a data segment are chosen with its number. */
public enum Field {
    /** The first 8 bytes: opmod, index, opcode, QP number, ds; what a compare-and-swap turns on. */
    IMAGE("image", 0, 8),
    /** Opmod. */
    OPMOD("opmod", 0, 1),
    /** WQE index. */
    INDEX("index", 1, 2),
    /** Opcode. */
    OPCODE("opcode", 3, 1),
    /** QP number. */
    QPN("qpn", Wqe.QPN_DS, 3),
    /** Number of segments. */
    DS("ds", 7, 1),
    /** Fence, completion and solicited bits. */
    FLAGS("fm_ce_se", Wqe.FM_CE_SE, 1),
    /** Immediate data. */
    IMMEDIATE("imm", Wqe.IMMEDIATE, 4),
    /** The ctrl segment without the immediate data: image, signature and flags. */
    CTRL("ctrl", 0, 12),
    /** The ctrl segment and the address of a one-sided verb or atomic. */
    HEAD("head", 0, 24),
    /** Address of a one-sided verb or atomic. */
    REMOTE_ADDRESS("raddr", Wqe.REMOTE, 8),
    /** Key of that address. */
    RKEY("rkey", Wqe.REMOTE + 8, 4),
    /** What an atomic stores or adds. */
    SWAP_OR_ADD("swap", Wqe.ATOMIC, 8),
    /** What a compare-and-swap compares. */
    COMPARE("compare", Wqe.ATOMIC + Wqe.ATOMIC_COMPARE, 8),
    /** Where the fields of a masked fetch-and-add end. */
    BOUNDARY("boundary", Wqe.ATOMIC + 8, 8),
    /** Which bits a masked compare-and-swap stores. */
    SWAP_MASK("swap mask", Wqe.ATOMIC + 16, 8),
    /** Which bits a masked compare-and-swap compares. */
    COMPARE_MASK("compare mask", Wqe.ATOMIC + 24, 8),
    /** Producer index of a WAIT or ENABLE. */
    PRODUCER_INDEX("pi", Wqe.INDEX, 4),
    /** CQ or QP number of a WAIT or ENABLE. */
    OBJECT("object", Wqe.OBJECT, 4),
    /** Length of a data segment. */
    DATA_LENGTH("length", 0, 4),
    /** Key of a data segment. */
    DATA_LKEY("lkey", Wqe.DATA_LKEY, 4),
    /** Address of a data segment. */
    DATA_ADDRESS("address", Wqe.DATA_ADDRESS, 8);

    private final String label;
    private final int offset;
    private final int length;

    Field(String label, int offset, int length) {
        this.label = label;
        this.offset = offset;
        this.length = length;
    }

    /** Returns the offset in the WQE, or in the data segment, in bytes. */
    public int offset() {
        return offset;
    }

    /** Returns the length in bytes. */
    public int length() {
        return length;
    }

    /** Returns true for the fields of a data segment. */
    public boolean isData() {
        return ordinal() >= DATA_LENGTH.ordinal();
    }

    /** Returns true when a WQE of an opcode has it. */
    public boolean isOf(int opcode) {
        return switch (this) {
            case IMAGE, OPMOD, INDEX, OPCODE, QPN, DS, FLAGS, IMMEDIATE, CTRL -> true;
            case HEAD, REMOTE_ADDRESS, RKEY -> Wqe.dataOffset(opcode) > Wqe.SEGMENT;
            case SWAP_OR_ADD -> Wqe.dataOffset(opcode) > 2 * Wqe.SEGMENT;
            case COMPARE -> opcode == Wqe.ATOMIC_CS || opcode == Wqe.ATOMIC_MASKED_CS;
            case BOUNDARY -> opcode == Wqe.ATOMIC_MASKED_FA;
            case SWAP_MASK, COMPARE_MASK -> opcode == Wqe.ATOMIC_MASKED_CS;
            case PRODUCER_INDEX, OBJECT ->
                opcode == Wqe.WAIT || opcode == Wqe.SEND_ENABLE || opcode == Wqe.RECV_ENABLE;
            case DATA_LENGTH, DATA_LKEY, DATA_ADDRESS ->
                opcode != Wqe.NOP && opcode != Wqe.WAIT && opcode != Wqe.SEND_ENABLE && opcode != Wqe.RECV_ENABLE;
        };
    }

    /**
     * Names bytes of a WQE: {@code image}, {@code qpn}, {@code raddr[5..7]}, {@code data[1].address}.
     *
     * @param opcode of the WQE, that which it has when it is turned on
     */
    public static String nameOf(int opcode, int offset, int length) {
        int data = Wqe.dataOffset(opcode);
        boolean inData = offset >= data && DATA_ADDRESS.isOf(opcode);
        int base = inData ? data + (offset - data) / Wqe.SEGMENT * Wqe.SEGMENT : 0;
        String prefix = inData ? "data[" + (offset - data) / Wqe.SEGMENT + "]." : "";
        Field best = null;
        for (Field field : values()) {
            int from = base + field.offset;
            boolean holds = field.isData() == inData && field.isOf(opcode) && offset >= from
                    && offset + length <= from + field.length;
            if (holds && (best == null || field.length < best.length)) {
                best = field;
            }
        }
        if (best == null) {
            return "bytes[" + offset + ".." + (offset + length - 1) + "]";
        }
        int from = offset - base - best.offset;
        String slice = length == best.length ? ""
                : length == 1 ? "[" + from + "]" : "[" + from + ".." + (from + length - 1) + "]";
        return prefix + best.label + slice;
    }
}
