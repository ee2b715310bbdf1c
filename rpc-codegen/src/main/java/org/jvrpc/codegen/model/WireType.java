package org.jvrpc.codegen.model;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.TypeName;
import java.util.List;

/** A Java type together with its layout on the wire. */
public sealed interface WireType {

    /** Returns the type as the interface or the record spells it. */
    TypeName javaType();

    /** Returns the types that this one is made of; a record's components are in its shape. */
    default List<WireType> parts() {
        return List.of();
    }

    /** Hands itself to the visitor's method for its variant. */
    <R> R accept(Visitor<R> visitor);

    /** Returns true when a null would have no layout, so that writers check for it. */
    default boolean refusesNull() {
        return !javaType().isPrimitive() && !(this instanceof Nullable);
    }

    /**
     * A type that the wire package reads and writes by a method of its own.
     *
     * @param layout its name in the schema
     * @param accessor what follows {@code read} and {@code write} in the method's name
     * @param minBytes the least number of bytes that a value takes
     * @param home where the methods are
     */
    record Basic(TypeName javaType, String layout, String accessor, int minBytes, Home home) implements WireType {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.visitBasic(this);
        }
    }

    /** Where the methods of a {@link Basic} are. */
    enum Home {
        /** In {@code WireWriter} and {@code WireReader}. */
        WIRE,
        /** In {@code Values}, as static methods. */
        VALUES
    }

    /**
     * An enum, by ordinal.
     *
     * @param unknown the constant that stands for those that only the peer has, or null
     */
    record EnumType(ClassName javaType, List<String> constants, String unknown) implements WireType {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.visitEnum(this);
        }
    }

    /**
     * A record with its type arguments.
     *
     * @param key of its {@link RecordShape}: the type's text, with {@code ?} after each type argument that may be null
     */
    record RecordType(TypeName javaType, String key) implements WireType {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.visitRecord(this);
        }
    }

    /** A value that may be null: one byte of presence before it. Boxed primitives are of this kind. */
    record Nullable(TypeName javaType, WireType value) implements WireType {
        @Override
        public List<WireType> parts() {
            return List.of(value);
        }

        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.visitNullable(this);
        }
    }

    /**
     * {@code Optional}, {@code OptionalInt} and their like: one byte of presence before the value.
     *
     * @param raw the class with the factories {@code of} and {@code empty}
     * @param getter the method that returns the value
     */
    record Optional(TypeName javaType, ClassName raw, String getter, WireType value) implements WireType {
        @Override
        public List<WireType> parts() {
            return List.of(value);
        }

        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.visitOptional(this);
        }
    }

    /** A {@code List}, {@code Set} or {@code Collection}: a count, then the elements. */
    record Sequence(TypeName javaType, SequenceKind kind, WireType element) implements WireType {
        @Override
        public List<WireType> parts() {
            return List.of(element);
        }

        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.visitSequence(this);
        }
    }

    /** The interfaces that a {@link Sequence} has. */
    enum SequenceKind { LIST, SET, COLLECTION }

    /** A {@code Map}: a count, then key, value, key, value … */
    record MapType(TypeName javaType, WireType key, WireType value) implements WireType {
        @Override
        public List<WireType> parts() {
            return List.of(key, value);
        }

        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.visitMap(this);
        }
    }

    /** An array of references: a count, then the elements. */
    record ArrayType(TypeName javaType, WireType element) implements WireType {
        @Override
        public List<WireType> parts() {
            return List.of(element);
        }

        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.visitArray(this);
        }
    }

    /**
     * Anything else, as an object graph.
     *
     * @param references names of the {@link ObjectShape}s that the type names: its class and its type arguments
     */
    record ObjectType(TypeName javaType, ClassName raw, List<String> references) implements WireType {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.visitObject(this);
        }
    }

    /** One method for each variant. */
    interface Visitor<R> {
        R visitBasic(Basic type);

        R visitEnum(EnumType type);

        R visitRecord(RecordType type);

        R visitNullable(Nullable type);

        R visitOptional(Optional type);

        R visitSequence(Sequence type);

        R visitMap(MapType type);

        R visitArray(ArrayType type);

        R visitObject(ObjectType type);
    }
}
