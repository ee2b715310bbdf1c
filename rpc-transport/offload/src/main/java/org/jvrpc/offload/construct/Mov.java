package org.jvrpc.offload.construct;

import java.util.List;
import org.jvrpc.offload.Calculation;
import org.jvrpc.offload.ChainQueue;
import org.jvrpc.offload.Field;
import org.jvrpc.offload.Place;
import org.jvrpc.offload.ProgramBuilder;
import org.jvrpc.offload.WorkRequest;
import org.jvrpc.offload.Wr;
import org.jvrpc.verbs.MemoryRegion;

/**
 * The addressing modes of a {@code mov}, by WRs that write the addresses of later ones. Pointers, offsets and what is
 * calculated are big-endian words of 8 bytes. Each is complete when its last WR is; the queue is managed where an
 * address is written.
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
        return of(program.add(queue, Wr.write(to, from)));
    }

    /**
     * Loads from where a pointer says: 2 copy verbs.
     *
     * @param memory that the pointer points into
     */
    public static Construct load(
            ProgramBuilder program, ChainQueue queue, Place to, Place pointer, MemoryRegion memory) {
        WorkRequest read = Wr.read(anywhere(memory, to.length()), to);
        return of(program.add(queue, Wr.read(pointer, read.field(Field.REMOTE_ADDRESS))), program.add(queue, read));
    }

    /** Stores to where a pointer says: 2 copy verbs. */
    public static Construct store(
            ProgramBuilder program, ChainQueue queue, Place pointer, MemoryRegion memory, Place from) {
        WorkRequest write = Wr.write(anywhere(memory, from.length()), from);
        return of(program.add(queue, Wr.read(pointer, write.field(Field.REMOTE_ADDRESS))), program.add(queue, write));
    }

    /** Loads from a base address and an offset in bytes: 2 copy verbs, the first of which adds. */
    public static Construct loadIndexed(
            ProgramBuilder program, ChainQueue queue, Place to, Place base, Place offset, MemoryRegion memory) {
        WorkRequest read = Wr.read(anywhere(memory, to.length()), to);
        return of(program.add(queue,
                Wr.calculate(Calculation.ADD, read.field(Field.REMOTE_ADDRESS), base, offset)),
                program.add(queue, read));
    }

    /** Stores to a base address and an offset in bytes: 2 copy verbs. */
    public static Construct storeIndexed(
            ProgramBuilder program, ChainQueue queue, Place base, Place offset, MemoryRegion memory, Place from) {
        WorkRequest write = Wr.write(anywhere(memory, from.length()), from);
        return of(program.add(queue,
                Wr.calculate(Calculation.ADD, write.field(Field.REMOTE_ADDRESS), base, offset)),
                program.add(queue, write));
    }

    private static Place anywhere(MemoryRegion memory, int length) {
        return Place.of(memory, 0, length, "(pointed to)");
    }

    private static Construct of(WorkRequest... wrs) {
        return new Construct(List.of(wrs), List.of(), wrs[wrs.length - 1]);
    }
}
