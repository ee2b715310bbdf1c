package org.jvrpc.codegen.model;

import org.jvrpc.codegen.model.WireType.ArrayType;
import org.jvrpc.codegen.model.WireType.Basic;
import org.jvrpc.codegen.model.WireType.EnumType;
import org.jvrpc.codegen.model.WireType.MapType;
import org.jvrpc.codegen.model.WireType.Nullable;
import org.jvrpc.codegen.model.WireType.ObjectType;
import org.jvrpc.codegen.model.WireType.Optional;
import org.jvrpc.codegen.model.WireType.RecordType;
import org.jvrpc.codegen.model.WireType.Sequence;

/**
 * The least number of bytes that a value takes, at least 1: readers refuse a count of elements that the bytes left
 * cannot hold before they allocate anything.
 */
public record MinBytes(Shapes shapes) implements WireType.Visitor<Integer> {

    private static final int PRESENCE = 1;
    private static final int COUNT = 4;
    private static final int ORDINAL = 2;

    /** Returns the least number of bytes of a type. */
    public int of(WireType type) {
        return type.accept(this);
    }

    @Override
    public Integer visitBasic(Basic type) {
        return type.minBytes();
    }

    @Override
    public Integer visitEnum(EnumType type) {
        return ORDINAL;
    }

    @Override
    public Integer visitRecord(RecordType type) {
        int sum = Component.base(shapes.record(type).components()).stream()
                .mapToInt(component -> of(component.type()))
                .sum();
        return Math.max(1, sum);
    }

    @Override
    public Integer visitNullable(Nullable type) {
        return PRESENCE;
    }

    @Override
    public Integer visitOptional(Optional type) {
        return PRESENCE;
    }

    @Override
    public Integer visitSequence(Sequence type) {
        return COUNT;
    }

    @Override
    public Integer visitMap(MapType type) {
        return COUNT;
    }

    @Override
    public Integer visitArray(ArrayType type) {
        return COUNT;
    }

    @Override
    public Integer visitObject(ObjectType type) {
        return 1;
    }
}
