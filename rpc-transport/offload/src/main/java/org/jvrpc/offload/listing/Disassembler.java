package org.jvrpc.offload.listing;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jvrpc.mlx5.BigEndian;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.offload.Program;
import org.jvrpc.offload.queue.ChainQueue;
import org.jvrpc.offload.queue.Image;
import org.jvrpc.offload.queue.Opcodes;
import org.jvrpc.offload.wr.Modification;
import org.jvrpc.offload.wr.PlaceNames;
import org.jvrpc.offload.wr.WorkRequest;

/** Prints programs and send rings as tables. */
public final class Disassembler {

    private static final int[] COLUMNS = {12, 8, 16, 64, 12, 36, 40};

    private Disassembler() {
    }

    /** Returns a table of a program's WRs: where, what, and which field of which other WR each changes. */
    public static String list(Program program) {
        Table table = new Table(COLUMNS);
        table.row("queue", "index", "opcode", "operands", "flags", "changes", "");
        for (ChainQueue queue : program.queues()) {
            for (WorkRequest wr : program.triggers(queue)) {
                table.row(queue + ".RQ", "" + wr.block(), wr.verb(), wr.operands(), "", changes(program, wr),
                        comment(wr));
            }
        }
        for (ChainQueue queue : program.queues()) {
            for (WorkRequest wr : program.sends(queue)) {
                table.row(queue.toString(), "" + wr.block() % queue.blocks(), wr.verb(), wr.operands(), flags(wr),
                        changes(program, wr), comment(wr));
            }
        }
        return "program " + program.name() + (program.isRecycled() ? ", recycled, a lap: " : ": ")
                + program.counts() + "\n\n" + table;
    }

    private static String comment(WorkRequest wr) {
        return wr.comment().isEmpty() ? "" : "; " + wr.comment();
    }

    static String flags(WorkRequest wr) {
        return (wr.isSignalled() ? "CE " : "") + (wr.isFenced() ? "FENCE" : "");
    }

    private static String changes(Program program, WorkRequest wr) {
        Set<String> names = new LinkedHashSet<>();
        for (Modification modification : program.modifications()) {
            if (modification.by() == wr) {
                names.add(PlaceNames.field(modification.field()));
            }
        }
        return String.join(", ", names);
    }

    /**
     * Returns a table of the WQEs in a send ring, from block 0 to the first that is empty.
     *
     * @param queue its name
     * @param ring big-endian WQEs, from position 0 to the limit
     */
    public static String list(String queue, ByteBuffer ring, Symbols symbols) {
        Table table = new Table(COLUMNS);
        table.row("queue", "index", "opcode", "operands", "flags", "changes", "");
        int blocks = ring.limit() / Wqe.BLOCK;
        int block = 0;
        while (block < blocks) {
            ByteBuffer wqe = wqe(ring, block);
            int segments = Wqe.segments(BigEndian.getInt(wqe, Wqe.QPN_DS));
            if (segments == 0) {
                break;
            }
            table.row(queue, "" + block, verb(wqe), operands(wqe, segments, symbols), flags(wqe),
                    String.join(", ", changes(wqe, segments, symbols)), "");
            block += Wqe.blocks(segments);
        }
        return table.toString();
    }

    /** Copies a WQE out of a ring, whose end it may cross. */
    private static ByteBuffer wqe(ByteBuffer ring, int block) {
        ByteBuffer wqe = ByteBuffer.allocate(Wqe.MAX_SEGMENTS * Wqe.SEGMENT);
        for (int i = 0; i < wqe.limit(); i++) {
            wqe.put(i, ring.get((block * Wqe.BLOCK + i) % ring.limit()));
        }
        return wqe;
    }

    private static int opcode(ByteBuffer wqe) {
        return Wqe.opcode(BigEndian.getInt(wqe, 0));
    }

    private static String verb(ByteBuffer wqe) {
        return Opcodes.name(opcode(wqe), Wqe.opmod(BigEndian.getInt(wqe, 0)));
    }

    private static String flags(ByteBuffer wqe) {
        int flags = Wqe.flags(wqe, 0);
        return ((flags & Wqe.CE_ALWAYS) != 0 ? "CE " : "") + ((flags & Wqe.FENCE) != 0 ? "FENCE" : "");
    }

    private static List<String> data(ByteBuffer wqe, int segments, Symbols symbols) {
        List<String> names = new ArrayList<>();
        for (int at = Wqe.dataOffset(opcode(wqe)); at < segments * Wqe.SEGMENT; at += Wqe.SEGMENT) {
            int length = Wqe.dataLength(wqe, at);
            if ((length & Wqe.INLINE) != 0) {
                names.add("inline:" + (length & ~Wqe.INLINE));
                return names;
            }
            names.add(symbols.name(Wqe.dataAddress(wqe, at), length) + ":" + length);
        }
        return names;
    }

    private static String operands(ByteBuffer wqe, int segments, Symbols symbols) {
        int opcode = opcode(wqe);
        String data = opcode == Wqe.NOP ? "" : String.join(", ", data(wqe, segments, symbols));
        switch (opcode) {
            case Wqe.NOP:
                return "operand 0x" + Long.toHexString(Image.operand(BigEndian.getLong(wqe, 0))) + ", ds=" + segments;
            case Wqe.WAIT:
            case Wqe.SEND_ENABLE:
            case Wqe.RECV_ENABLE:
                return (opcode == Wqe.WAIT ? "for CQ " : "to QP ") + BigEndian.getInt(wqe, Wqe.OBJECT)
                        + ", pi=" + BigEndian.getInt(wqe, Wqe.INDEX);
            case Wqe.SEND:
            case Wqe.SEND_IMM:
                return data;
            case Wqe.RDMA_READ:
                return data + " ← " + remote(wqe, 1, symbols);
            case Wqe.RDMA_WRITE:
            case Wqe.RDMA_WRITE_IMM:
                return remote(wqe, 1, symbols) + " ← " + data;
            default:
                return remote(wqe, 8, symbols) + numbers(wqe, opcode);
        }
    }

    private static String numbers(ByteBuffer wqe, int opcode) {
        StringBuilder text = new StringBuilder();
        for (int at = Wqe.ATOMIC; at < Wqe.dataOffset(opcode); at += 8) {
            text.append(text.length() == 0 ? ": " : ", ")
                    .append("0x").append(Long.toHexString(BigEndian.getLong(wqe, at)));
        }
        return text.toString();
    }

    private static String remote(ByteBuffer wqe, int length, Symbols symbols) {
        return symbols.name(BigEndian.getLong(wqe, Wqe.REMOTE), length);
    }

    /** Returns the names of what a WQE changes, code or data. */
    private static List<String> changes(ByteBuffer wqe, int segments, Symbols symbols) {
        switch (opcode(wqe)) {
            case Wqe.RDMA_READ:
                return data(wqe, segments, symbols);
            case Wqe.RDMA_WRITE:
            case Wqe.RDMA_WRITE_IMM:
                return List.of(remote(wqe, 1, symbols));
            case Wqe.ATOMIC_CS:
            case Wqe.ATOMIC_FA:
            case Wqe.ATOMIC_MASKED_CS:
            case Wqe.ATOMIC_MASKED_FA:
                return List.of(remote(wqe, 8, symbols));
            default:
                return List.of();
        }
    }
}
