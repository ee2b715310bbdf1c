package org.jvrpc.codegen.write;

import com.palantir.javapoet.AnnotationSpec;
import com.palantir.javapoet.ArrayTypeName;
import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.FieldSpec;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.ParameterizedTypeName;
import com.palantir.javapoet.TypeName;
import com.palantir.javapoet.TypeSpec;
import com.palantir.javapoet.WildcardTypeName;
import java.util.ArrayList;
import java.util.ConcurrentModificationException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.RandomAccess;
import javax.lang.model.element.Modifier;
import org.jvrpc.codegen.model.Component;
import org.jvrpc.codegen.model.HeapBytes;
import org.jvrpc.codegen.model.MinBytes;
import org.jvrpc.codegen.model.RecordShape;
import org.jvrpc.codegen.model.Recursion;
import org.jvrpc.codegen.model.Shapes;
import org.jvrpc.codegen.model.WireType;
import org.jvrpc.codegen.model.WireType.SequenceKind;

/** Adds the methods that read and write one type to the codec. */
final class TypeCodecWriter implements WireType.Visitor<Void> {

    private final Shapes shapes;
    private final ValueCode values;
    private final ComponentCode components;
    private final TypeSpec.Builder codec;
    private String name = "";

    TypeCodecWriter(Shapes shapes, ValueCode values, ComponentCode components, TypeSpec.Builder codec) {
        this.shapes = shapes;
        this.values = values;
        this.components = components;
        this.codec = codec;
    }

    /** Gives the name of the type visited next. */
    TypeCodecWriter named(String next) {
        name = next;
        return this;
    }

    private MethodSpec.Builder writer(WireType type) {
        return MethodSpec.methodBuilder("write" + name)
                .addModifiers(Modifier.STATIC)
                .addParameter(Api.WIRE_WRITER, "out")
                .addParameter(type.javaType(), "value");
    }

    private MethodSpec.Builder reader(WireType type) {
        return MethodSpec.methodBuilder("read" + name)
                .addModifiers(Modifier.STATIC)
                .returns(type.javaType())
                .addParameter(Api.WIRE_READER, "in");
    }

    private Void add(MethodSpec.Builder write, MethodSpec.Builder read) {
        codec.addMethod(write.build());
        codec.addMethod(read.build());
        return null;
    }

    @Override
    public Void visitBasic(WireType.Basic type) {
        throw new AssertionError("the wire package has methods for " + type);
    }

    // private static final Side[] SIDE_VALUES = Side.values();
    //
    // static Side readSide(WireReader in) {
    //     return in.readEnum(SIDE_VALUES);
    // }
    @Override
    public Void visitEnum(WireType.EnumType type) {
        String constants = name.replaceAll("(?<=[a-z0-9])(?=[A-Z])", "_").toUpperCase(Locale.ROOT) + "_VALUES";
        codec.addField(FieldSpec.builder(ArrayTypeName.of(type.javaType()), constants, Modifier.PRIVATE,
                Modifier.STATIC, Modifier.FINAL)
                .initializer("$T.values()", type.javaType())
                .build());
        codec.addMethod(type.unknown() == null
                ? reader(type).addStatement("return in.readEnum($L)", constants).build()
                : reader(type).addStatement("return in.readEnum($L, $T.$L)", constants, type.javaType(), type.unknown())
                        .build());
        return null;
    }

    // static void writeLeg(WireWriter out, Leg value) {
    //     out.writeLong(value.instrument());
    //     out.writeString(nonNull(value.venue(), "Leg.venue is null"));
    // }
    //
    // static Leg readLeg(WireReader in) {
    //     return new Leg(in.readLong(), in.readString());
    // }
    @Override
    public Void visitRecord(WireType.RecordType type) {
        RecordShape shape = shapes.record(type);
        boolean recursive = new Recursion(shapes.records()).isRecursive(shape);
        MethodSpec.Builder write = writer(type);
        if (recursive) {
            write.addStatement("out.descend()");
        }
        if (shape.components().isEmpty()) {
            write.addStatement("out.writeByte(($T) 0)", TypeName.BYTE);
        }
        components.write(write, shape.key(), shape.components(), component -> {
            CodeBlock value = CodeBlock.of("value.$L()", component.accessor());
            String message = shape.label() + "." + component.name() + " is null";
            return values.write(component.type(), "out", values.checked(component.type(), value, message));
        });
        if (isBare(shape)) {
            write.beginControlFlow("if (fields == 0)")
                    .addStatement("out.writeByte(($T) 0)", TypeName.BYTE)
                    .endControlFlow();
        }
        if (recursive) {
            write.addStatement("out.ascend()");
        }
        return add(write, readRecord(type, shape, recursive));
    }

    // int before = in.remaining(); // of a record that may take more heap than its bytes pay for
    // in.descend(); // of a recursive one
    // Tree value = new Tree(…);
    // in.ascend();
    // if (fields < 2) {
    //     in.claimHeap(72, before);
    // }
    // return value;
    private MethodSpec.Builder readRecord(WireType.RecordType type, RecordShape shape, boolean recursive) {
        MethodSpec.Builder read = reader(type);
        if (shape.components().isEmpty()) {
            read.addStatement("in.readByte()");
        }
        HeapBytes heap = HeapBytes.of(shape, new MinBytes(shapes));
        int base = Component.base(shape.components()).size();
        boolean unpaid = base < shape.components().size() && heap.unpaid(base) > 0;
        if (unpaid) {
            read.addStatement("int before = in.remaining()");
        }
        CodeBlock construct = components.read(read, shape.key(), type.javaType(), shape.components());
        if (isBare(shape)) {
            read.beginControlFlow("if (fields == 0)").addStatement("in.readByte()").endControlFlow();
        }
        if (!recursive && !unpaid) {
            return read.addStatement("return $L", construct);
        }
        if (recursive) {
            read.addStatement("in.descend()");
        }
        read.addStatement("$T value = $L", type.javaType(), construct);
        if (recursive) {
            read.addStatement("in.ascend()");
        }
        if (unpaid) {
            read.beginControlFlow("if (fields < $L)", heap.paidFrom(base))
                    .addStatement("in.claimHeap($L, before)", heap.record())
                    .endControlFlow();
        }
        return read.addStatement("return value");
    }

    /** Returns true for a record whose first version has no components, and travels as a byte. */
    private static boolean isBare(RecordShape shape) {
        return !shape.components().isEmpty() && Component.base(shape.components()).isEmpty();
    }

    // static void writeNullableString(WireWriter out, String value) {
    //     if (out.writePresence(value != null)) {
    //         out.writeString(value);
    //     }
    // }
    //
    // static String readNullableString(WireReader in) {
    //     return in.readPresence() ? in.readString() : null;
    // }
    @Override
    public Void visitNullable(WireType.Nullable type) {
        return add(
                writer(type)
                        .beginControlFlow("if (out.writePresence(value != null))")
                        .addStatement(values.write(type.value(), "out", CodeBlock.of("value")))
                        .endControlFlow(),
                reader(type).addStatement("return in.readPresence() ? $L : null", values.read(type.value(), "in")));
    }

    // if (out.writePresence(value.isPresent())) {
    //     out.writeInt(value.getAsInt());
    // }
    //
    // return in.readPresence() ? OptionalInt.of(in.readInt()) : OptionalInt.empty();
    @Override
    public Void visitOptional(WireType.Optional type) {
        CodeBlock value = CodeBlock.of("value.$L()", type.getter());
        return add(
                writer(type)
                        .beginControlFlow("if (out.writePresence(value.isPresent()))")
                        .addStatement(values.write(type.value(), "out", value))
                        .endControlFlow(),
                reader(type).addStatement("return in.readPresence() ? $T.of($L) : $T.empty()", type.raw(),
                        values.read(type.value(), "in"), type.raw()));
    }

    @Override
    public Void visitSequence(WireType.Sequence type) {
        return add(type.kind() == SequenceKind.LIST ? writeList(type) : writeEach(type), readSequence(type));
    }

    // List<Leg> list = value instanceof RandomAccess ? value : new ArrayList<>(value);
    // int count = list.size();
    // out.writeCount(count);
    // for (int i = 0; i < count; i++) {
    //     writeLeg(out, nonNull(list.get(i), "element of List<Leg> is null"));
    // }
    private MethodSpec.Builder writeList(WireType.Sequence type) {
        return writer(type)
                .addStatement("$T list = value instanceof $T ? value : new $T<>(value)", type.javaType(),
                        RandomAccess.class, ArrayList.class)
                .addStatement("int count = list.size()")
                .addStatement("out.writeCount(count)")
                .beginControlFlow("for (int i = 0; i < count; i++)")
                .addStatement(element(type.element(), "list.get(i)", "element", type))
                .endControlFlow();
    }

    // int remaining = value.size();
    // out.writeCount(remaining);
    // for (Leg element : value) {
    //     writeLeg(out, nonNull(element, "element of Set<Leg> is null"));
    //     remaining--;
    // }
    // if (remaining != 0) {
    //     throw new ConcurrentModificationException("Set<Leg> changed while it was written");
    // }
    private MethodSpec.Builder writeEach(WireType.Sequence type) {
        MethodSpec.Builder write = writer(type)
                .addStatement("int remaining = value.size()")
                .addStatement("out.writeCount(remaining)")
                .beginControlFlow("for ($T element : value)", type.element().javaType())
                .addStatement(element(type.element(), "element", "element", type));
        return endCounted(write, type);
    }

    private static MethodSpec.Builder endCounted(MethodSpec.Builder write, WireType type) {
        return write.addStatement("remaining--")
                .endControlFlow()
                .beginControlFlow("if (remaining != 0)")
                .addStatement("throw new $T($Z$S)", ConcurrentModificationException.class,
                        SimpleText.of(type.javaType()) + " changed while it was written")
                .endControlFlow();
    }

    private CodeBlock element(WireType type, String expression, String role, WireType owner) {
        String message = role + " of " + SimpleText.of(owner.javaType()) + " is null";
        return values.write(type, "out", values.checked(type, CodeBlock.of("$L", expression), message));
    }

    // int count = in.readCount(12);
    // List<Leg> value = new ArrayList<>(count);
    // for (int i = 0; i < count; i++) {
    //     value.add(readLeg(in));
    // }
    // return value;
    private MethodSpec.Builder readSequence(WireType.Sequence type) {
        boolean isSet = type.kind() == SequenceKind.SET;
        TypeName variable = ParameterizedTypeName.get(((ParameterizedTypeName) type.javaType()).rawType(),
                type.element().javaType());
        return reader(type)
                .addStatement("int count = in.readCount($L)", new MinBytes(shapes).of(type.element()))
                .addStatement("$T value = new $T<>(count)", variable,
                        isSet ? ClassName.get(LinkedHashSet.class) : ClassName.get(ArrayList.class))
                .beginControlFlow("for (int i = 0; i < count; i++)")
                .addStatement("value.add($L)", values.read(type.element(), "in"))
                .endControlFlow()
                .addStatement("return value");
    }

    // for (Map.Entry<String, Leg> entry : value.entrySet()) {
    //     out.writeString(nonNull(entry.getKey(), "key of Map<String, Leg> is null"));
    //     writeLeg(out, nonNull(entry.getValue(), "value of Map<String, Leg> is null"));
    //     remaining--;
    // }
    @Override
    public Void visitMap(WireType.MapType type) {
        TypeName entry = ParameterizedTypeName.get(ClassName.get(Map.Entry.class),
                ((ParameterizedTypeName) type.javaType()).typeArguments().toArray(TypeName[]::new));
        MethodSpec.Builder write = writer(type)
                .addStatement("int remaining = value.size()")
                .addStatement("out.writeCount(remaining)")
                .beginControlFlow("for ($T entry : value.entrySet())", entry)
                .addStatement(element(type.key(), "entry.getKey()", "key", type))
                .addStatement(element(type.value(), "entry.getValue()", "value", type));
        return add(endCounted(write, type), readMap(type));
    }

    // Map<String, Leg> value = new LinkedHashMap<>(count);
    // for (int i = 0; i < count; i++) {
    //     value.put(in.readString(), readLeg(in));
    // }
    private MethodSpec.Builder readMap(WireType.MapType type) {
        MinBytes minBytes = new MinBytes(shapes);
        TypeName variable = ParameterizedTypeName.get(ClassName.get(Map.class), type.key().javaType(),
                type.value().javaType());
        return reader(type)
                .addStatement("int count = in.readCount($L)", minBytes.of(type.key()) + minBytes.of(type.value()))
                .addStatement("$T value = new $T<>(count)", variable, LinkedHashMap.class)
                .beginControlFlow("for (int i = 0; i < count; i++)")
                .addStatement("value.put($L,$W$L)", values.read(type.key(), "in"), values.read(type.value(), "in"))
                .endControlFlow()
                .addStatement("return value");
    }

    // out.writeCount(value.length);
    // for (Leg element : value) {
    //     writeLeg(out, nonNull(element, "element of Leg[] is null"));
    // }
    //
    // Leg[] value = new Leg[in.readCount(12)];
    // for (int i = 0; i < value.length; i++) {
    //     value[i] = readLeg(in);
    // }
    // return value;
    @Override
    public Void visitArray(WireType.ArrayType type) {
        TypeName element = ((ArrayTypeName) type.javaType()).componentType();
        MethodSpec.Builder write = writer(type)
                .addStatement("out.writeCount(value.length)")
                .beginControlFlow("for ($T element : value)", element)
                .addStatement(element(type.element(), "element", "element", type))
                .endControlFlow();
        MethodSpec.Builder read = reader(type)
                .addStatement("$T value = $L", type.javaType(), newArray(type, element))
                .beginControlFlow("for (int i = 0; i < value.length; i++)")
                .addStatement("value[i] = $L", values.read(type.element(), "in"))
                .endControlFlow()
                .addStatement("return value");
        if (innermost(element) instanceof ParameterizedTypeName) {
            read.addAnnotation(unchecked());
        }
        return add(write, read);
    }

    // new Leg[in.readCount(12)]   new long[in.readCount(4)][]   (List<Leg>[]) new List<?>[in.readCount(4)]
    private CodeBlock newArray(WireType.ArrayType type, TypeName element) {
        StringBuilder dimensions = new StringBuilder();
        for (TypeName at = element; at instanceof ArrayTypeName array; at = array.componentType()) {
            dimensions.append("[]");
        }
        TypeName base = innermost(element);
        CodeBlock cast = CodeBlock.of("");
        if (base instanceof ParameterizedTypeName generic) {
            TypeName[] wildcards = generic.typeArguments().stream()
                    .map(argument -> WildcardTypeName.subtypeOf(Object.class))
                    .toArray(TypeName[]::new);
            base = ParameterizedTypeName.get(generic.rawType(), wildcards);
            cast = CodeBlock.of("($T) ", type.javaType());
        }
        return CodeBlock.of("$Lnew $T[in.readCount($L)]$L", cast, base, new MinBytes(shapes).of(type.element()),
                dimensions);
    }

    private static TypeName innermost(TypeName type) {
        return type instanceof ArrayTypeName array ? innermost(array.componentType()) : type;
    }

    private static AnnotationSpec unchecked() {
        return AnnotationSpec.builder(SuppressWarnings.class).addMember("value", "$S", "unchecked").build();
    }

    // @SuppressWarnings("unchecked")
    // static TreeMap<String, Leg> readTreeMapOfStringAndLeg(WireReader in) {
    //     return in.readObject(TreeMap.class);
    // }
    @Override
    public Void visitObject(WireType.ObjectType type) {
        codec.addMethod(reader(type)
                .addAnnotation(unchecked())
                .addStatement("return in.readObject($T.class)", type.raw())
                .build());
        return null;
    }
}
