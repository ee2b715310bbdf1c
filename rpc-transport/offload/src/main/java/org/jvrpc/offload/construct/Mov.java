package org.jvrpc.offload.construct;

import java.util.ArrayList;
import java.util.List;
import org.jvrpc.offload.ProgramBuilder;
import org.jvrpc.offload.queue.ChainQueue;
import org.jvrpc.offload.queue.Field;
import org.jvrpc.offload.wr.Calculation;
import org.jvrpc.offload.wr.Place;
import org.jvrpc.offload.wr.WorkRequest;
import org.jvrpc.offload.wr.Wr;
import org.jvrpc.verbs.MemoryRegion;

/**
 * The addressing modes of a {@code mov}, by WRs that write the addresses of later ones. Pointers, offsets and what is
 * calculated are big-endian words of 8 bytes. Each is complete when its last WR is; the queue is managed where an
 * address is written, which takes 2 ordering verbs more where the queue prefetches.
 */
public final class Mov {

    private Mov() {
    }

    /** Stores a constant: 1 copy verb. */
    public static Construct immediate(ProgramBuilder program, ChainQueue queue, Place to, byte[] value) {
        return copy(program, queue, to, program.constant("immediate", value));
    }

    /** Copies: 1 copy verb. */
    public static Construct copy(ProgramBuilder program, ChainQueue queue, Place to, Place from) {
        WorkRequest write = program.add(queue, Wr.write(to, from));
        return new Construct(List.of(write), List.of(), write);
    }

    /**
     * Loads from where a pointer says: 2 copy verbs.
     *
     * @param memory that the pointer points into
     */
    public static Construct load(
            ProgramBuilder program, ChainQueue queue, Place to, Place pointer, MemoryRegion memory) {
        WorkRequest read = Wr.read(anywhere(memory, to.length()), to);
        return of(program, queue, Wr.read(pointer, read.field(Field.REMOTE_ADDRESS)), read);
    }

    /** Stores to where a pointer says: 2 copy verbs. */
    public static Construct store(
            ProgramBuilder program, ChainQueue queue, Place pointer, MemoryRegion memory, Place from) {
        WorkRequest write = Wr.write(anywhere(memory, from.length()), from);
        return of(program, queue, Wr.read(pointer, write.field(Field.REMOTE_ADDRESS)), write);
    }

    /** Loads from a base address and an offset in bytes: 2 copy verbs, the first of which adds. */
    public static Construct loadIndexed(
            ProgramBuilder program, ChainQueue queue, Place to, Place base, Place offset, MemoryRegion memory) {
        WorkRequest read = Wr.read(anywhere(memory, to.length()), to);
        Place address = read.field(Field.REMOTE_ADDRESS);
        return of(program, queue, Wr.calculate(Calculation.ADD, address, base, offset), read);
    }

    /** Stores to a base address and an offset in bytes: 2 copy verbs. */
    public static Construct storeIndexed(
            ProgramBuilder program, ChainQueue queue, Place base, Place offset, MemoryRegion memory, Place from) {
        WorkRequest write = Wr.write(anywhere(memory, from.length()), from);
        Place address = write.field(Field.REMOTE_ADDRESS);
        return of(program, queue, Wr.calculate(Calculation.ADD, address, base, offset), write);
    }

    private static Place anywhere(MemoryRegion memory, int length) {
        return Place.of(memory, 0, length, "(pointed to)");
    }

    private static Construct of(ProgramBuilder program, ChainQueue queue, WorkRequest address, WorkRequest copy) {
        List<WorkRequest> wrs = new ArrayList<>();
        wrs.add(program.add(queue, address));
        wrs.addAll(program.stage(queue, address));
        wrs.add(program.add(queue, copy));
        return new Construct(wrs, List.of(), copy);
    }
}
