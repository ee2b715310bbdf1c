package org.jvrpc.codegen.model;

import com.palantir.javapoet.TypeName;
import java.util.ArrayList;
import java.util.List;

/**
 * The heap of a record itself, in bytes, without what its references lead to, beside the least number of bytes that it
 * takes on the wire. A record with {@code @Since} takes all of it also where a peer sends few components.
 *
 * @param record the heap of a record, at most
 * @param minBytes what so many of its components take on the wire, by their number
 */
public record HeapBytes(int record, List<Integer> minBytes) {

    /** Heap that a byte on the wire pays for. */
    private static final int PAID = 32;
    private static final int HEADER = 16;
    private static final int REFERENCE = 8;

    /** Returns that of a record. */
    public static HeapBytes of(RecordShape shape, MinBytes minBytes) {
        int heap = HEADER;
        List<Integer> sums = new ArrayList<>(List.of(0));
        for (Component component : shape.components()) {
            heap += bytes(component.type().javaType());
            sums.add(sums.get(sums.size() - 1) + minBytes.of(component.type()));
        }
        return new HeapBytes((heap + REFERENCE - 1) / REFERENCE * REFERENCE, List.copyOf(sums));
    }

    private static int bytes(TypeName type) {
        return type.isPrimitive() ? BasicTypes.find(type).minBytes() : REFERENCE;
    }

    /** Returns the heap that nobody pays for when so many components travel, at least 0. */
    public int unpaid(int components) {
        return Math.max(0, record - PAID * Math.max(1, minBytes.get(components)));
    }

    /** Returns with how many components, {@code from} at least, the bytes pay for all. */
    public int paidFrom(int from) {
        int components = from;
        while (components < minBytes.size() - 1 && unpaid(components) > 0) {
            components++;
        }
        return components;
    }
}
