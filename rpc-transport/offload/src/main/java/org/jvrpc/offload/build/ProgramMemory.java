package org.jvrpc.offload.build;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jvrpc.offload.wr.Place;
import org.jvrpc.verbs.MemoryRegion;

/** What a program keeps in memory of its own: constants, variables, what atomics bring. Gives it out piece by piece. */
public final class ProgramMemory {

    private record Constant(Place place, Supplier<byte[]> bytes) {
    }

    private final MemoryRegion region;
    private final List<Constant> constants = new ArrayList<>();
    private final List<Place> names = new ArrayList<>();
    private long used;
    private Place scratch;

    ProgramMemory(MemoryRegion region) {
        this.region = region;
    }

    /** Takes zeroed memory. @param alignment in bytes, a power of two */
    public Place take(String name, int bytes, int alignment) {
        long aligned = (region.address() + used + alignment - 1) / alignment * alignment - region.address();
        if (aligned + bytes > region.length()) {
            throw new IllegalArgumentException("program memory is too small for " + name + ": needs="
                    + (aligned + bytes) + " bytes=" + region.length());
        }
        used = aligned + bytes;
        Place place = Place.of(region, aligned, bytes, name);
        names.add(place);
        return place;
    }

    /** Takes memory that {@link #load()} fills. */
    public Place constant(String name, int length, int alignment, Supplier<byte[]> bytes) {
        Place place = take(name, length, alignment);
        constants.add(new Constant(place, bytes));
        return place;
    }

    /** Returns 64 bytes for what nobody wants. */
    public Place scratch() {
        if (scratch == null) {
            scratch = take("scratch", 64, 8);
        }
        return scratch;
    }

    /** Returns all pieces, by name. */
    public List<Place> names() {
        return List.copyOf(names);
    }

    /** Writes the constants. */
    public void load() {
        for (Constant constant : constants) {
            byte[] bytes = constant.bytes.get();
            ByteBuffer buffer = region.buffer(constant.place.address() - region.address(), bytes.length);
            buffer.put(0, bytes);
        }
    }
}
