package org.jvrpc.offload.listing;

import java.util.ArrayList;
import java.util.List;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.offload.Program;
import org.jvrpc.offload.queue.ChainQueue;
import org.jvrpc.offload.queue.Field;
import org.jvrpc.offload.wr.WorkRequest;

/** Names for addresses: those of a program's memory and WRs, and more. One thread. */
public final class Symbols {

    private record Data(String name, long address, long length) {
    }

    private record Code(ChainQueue queue, List<WorkRequest> wrs) {
    }

    private final List<Data> data = new ArrayList<>();
    private final List<Code> code = new ArrayList<>();

    /** Knows no names yet. */
    public Symbols() {
        // names come one by one
    }

    /** Returns the names of a program. */
    public static Symbols of(Program program) {
        Symbols symbols = new Symbols();
        program.names().forEach(place -> symbols.data(place.name(), place.address(), place.length()));
        for (ChainQueue queue : program.queues()) {
            if (queue.code() != null) {
                symbols.code.add(new Code(queue, program.sends(queue)));
            }
        }
        return symbols;
    }

    /** Adds a name for memory; of several that fit, the shortest piece of memory gives the name. */
    public void data(String name, long address, long length) {
        data.add(new Data(name, address, length));
    }

    /** Returns the WR that has a block of a queue's ring, or null. */
    static WorkRequest at(List<WorkRequest> wrs, ChainQueue queue, int block) {
        for (WorkRequest wr : wrs) {
            int from = wr.block() % queue.blocks();
            if (block >= from && block < from + wr.blocks() || block + queue.blocks() < from + wr.blocks()) {
                return wr;
            }
        }
        return null;
    }

    /** Names bytes: {@code W[3].raddr}, {@code table+16}, or the address where nothing is known. */
    public String name(long address, long length) {
        for (Code one : code) {
            long offset = address - one.queue.code().address();
            if (offset >= 0 && offset < (long) one.queue.blocks() * Wqe.BLOCK) {
                return inCode(one, (int) offset, (int) length);
            }
        }
        Data best = null;
        for (Data one : data) {
            boolean holds = address >= one.address && address + length <= one.address + one.length;
            if (holds && (best == null || one.length < best.length)) {
                best = one;
            }
        }
        return best == null ? "0x" + Long.toHexString(address)
                : best.name + (address == best.address ? "" : "+" + (address - best.address));
    }

    private static String inCode(Code code, int offset, int length) {
        int block = offset / Wqe.BLOCK;
        WorkRequest wr = at(code.wrs, code.queue, block);
        if (wr == null) {
            return code.queue + "[" + block + "]+" + offset % Wqe.BLOCK;
        }
        int ring = code.queue.blocks() * Wqe.BLOCK;
        int inWqe = Math.floorMod(offset - wr.block() % code.queue.blocks() * Wqe.BLOCK, ring);
        return wr.where() + "." + Field.nameOf(wr.opcode(), inWqe, length);
    }
}
