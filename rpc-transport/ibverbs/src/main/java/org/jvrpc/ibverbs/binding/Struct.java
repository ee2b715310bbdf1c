package org.jvrpc.ibverbs.binding;

import java.util.ArrayList;
import java.util.List;

/** Name and size of a C struct, and its fields that are used: so that a test can compare them with a compiler's. */
public final class Struct {

    private static final List<Struct> ALL = new ArrayList<>();

    private final String name;
    private final String header;
    private final int bytes;
    private final List<Field> fields = new ArrayList<>();

    /** A field: its C name, its offset and its size in bytes. */
    public record Field(String name, int offset, int bytes) {
    }

    private Struct(String name, String header, int bytes) {
        this.name = name;
        this.header = header;
        this.bytes = bytes;
    }

    /** Notes a struct. */
    public static Struct of(String name, String header, int bytes) {
        Struct struct = new Struct(name, header, bytes);
        synchronized (ALL) {
            ALL.add(struct);
        }
        return struct;
    }

    /** Notes a field and returns its offset. */
    public int field(String field, int offset, int size) {
        fields.add(new Field(field, offset, size));
        return offset;
    }

    /** Returns every struct whose layout class was initialised. */
    public static List<Struct> all() {
        synchronized (ALL) {
            return List.copyOf(ALL);
        }
    }

    /** Returns the C name, with {@code struct} where C wants it. */
    public String name() {
        return name;
    }

    /** Returns the C header. */
    public String header() {
        return header;
    }

    /** Returns the size in bytes. */
    public int bytes() {
        return bytes;
    }

    /** Returns the fields that are used. */
    public List<Field> fields() {
        return List.copyOf(fields);
    }
}
