package org.jvrpc.codegen.write;

import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.ParameterizedTypeName;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.jvrpc.codegen.model.ExceptionShape;
import org.jvrpc.codegen.model.ParameterModel.Role;
import org.jvrpc.codegen.model.ServiceModel;
import org.jvrpc.codegen.model.ServiceModel.Part;
import org.jvrpc.codegen.model.TypeLabel;
import org.jvrpc.codegen.model.WireType;
import org.jvrpc.codegen.model.WireType.Basic;
import org.jvrpc.codegen.model.WireType.Home;

/**
 * Expressions that read one value, and statements that write one. Remembers which helpers they call, so that the codec,
 * which is written last, has those and no others.
 */
final class ValueCode {

    /** Methods of the codec that are not about one type. */
    enum Helper { NON_NULL, RETURNED, UNDECLARED, UNWRAPPED }

    private final CodeBlock codec;
    private final CodecNames names;
    private final Set<Helper> used;

    private ValueCode(CodeBlock codec, CodecNames names, Set<Helper> used) {
        this.codec = codec;
        this.names = names;
        this.used = used;
    }

    ValueCode(ServiceModel service, CodecNames names) {
        this(CodeBlock.of("$T.", service.part(Part.CODEC)), names, EnumSet.noneOf(Helper.class));
    }

    /** Returns the same for code inside the codec, which calls its own methods by their simple names. */
    ValueCode insideCodec() {
        return new ValueCode(CodeBlock.of(""), names, used);
    }

    Set<Helper> usedHelpers() {
        return used;
    }

    /** Returns true for a type whose reading or writing is a method of the codec. */
    static boolean isInline(WireType type) {
        return type instanceof Basic || type instanceof WireType.ObjectType && !isGeneric(type);
    }

    private static boolean isGeneric(WireType type) {
        return type.javaType() instanceof ParameterizedTypeName;
    }

    // in.readLong()   Values.readUuid(in)   OrdersCodec.readOrder(in)   in.readObject(Report.class)
    CodeBlock read(WireType type, String in) {
        if (type instanceof Basic basic) {
            return basic.home() == Home.WIRE
                    ? CodeBlock.of("$L.read$L()", in, basic.accessor())
                    : CodeBlock.of("$T.read$L($L)", Api.VALUES, basic.accessor(), in);
        }
        if (isInline(type)) {
            return CodeBlock.of("$L.readObject($T.class)", in, type.javaType());
        }
        return CodeBlock.of("$Lread$L($L)", codec, names.of(type), in);
    }

    // out.writeLong(value)   Values.writeUuid(out, value)   OrdersCodec.writeOrder(out, value)   out.writeObject(value)
    CodeBlock write(WireType type, String out, CodeBlock value) {
        if (type instanceof Basic basic) {
            return basic.home() == Home.WIRE
                    ? CodeBlock.of("$L.write$L($Z$L)", out, basic.accessor(), value)
                    : CodeBlock.of("$T.write$L($L,$W$L)", Api.VALUES, basic.accessor(), out, value);
        }
        if (type instanceof WireType.EnumType) {
            return CodeBlock.of("$L.writeEnum($Z$L)", out, value);
        }
        if (type instanceof WireType.ObjectType) {
            return CodeBlock.of("$L.writeObject($Z$L)", out, value);
        }
        return CodeBlock.of("$Lwrite$L($L,$W$L)", codec, names.of(type), out, value);
    }

    // throw OrdersCodec.readNoSuchOrderException(in)
    CodeBlock read(ExceptionShape exception, String in) {
        return CodeBlock.of("$Lread$L($L)", codec, names.of(exception), in);
    }

    // OrdersCodec.writeNoSuchOrderException(call.exception(1), e)
    CodeBlock write(ExceptionShape exception, CodeBlock out, String value) {
        return CodeBlock.of("$Lwrite$L($L, $L)", codec, names.of(exception), out, value);
    }

    // OrdersCodec.nonNull(order, "order is null: Orders/place")
    CodeBlock checked(WireType type, CodeBlock value, String message) {
        return type.refusesNull() ? call(Helper.NON_NULL, "nonNull", value, message) : value;
    }

    // OrdersCodec.nonNull(orders, "orders is null: Orders/placeAll")
    CodeBlock nonNull(CodeBlock value, String message) {
        return call(Helper.NON_NULL, "nonNull", value, message);
    }

    // StreamCodec.LONG   StreamCodec.IN_PLACE   OrdersCodec.ORDER_STREAM
    CodeBlock streamCodec(WireType element, Role role) {
        if (role == Role.STREAM_IN_PLACE) {
            return CodeBlock.of("$T.IN_PLACE", Api.STREAM_CODEC);
        }
        String builtIn = builtInCodec(element);
        return builtIn != null
                ? CodeBlock.of("$T.$L", Api.STREAM_CODEC, builtIn)
                : CodeBlock.of("$L$L", codec, streamConstant(element));
    }

    /** Returns the constant of {@code StreamCodec} for a type, or null. */
    static @Nullable String builtInCodec(WireType element) {
        boolean buffer = element instanceof Basic basic && basic.accessor().equals("Buffer");
        return element.javaType().isPrimitive() || buffer
                ? ((Basic) element).accessor().toUpperCase(Locale.ROOT) : null;
    }

    /** Returns the constant of the service's codec for elements of a type that has none of its own. */
    String streamConstant(WireType element) {
        String name = element instanceof Basic ? TypeLabel.of(element) : names.of(element);
        return name.replaceAll("(?<=[a-z0-9])(?=[A-Z])", "_").toUpperCase(Locale.ROOT) + "_STREAM";
    }

    // OrdersCodec.returned(result, "Orders/find returned null")
    CodeBlock returned(WireType type, CodeBlock value, String message) {
        return type.refusesNull() ? call(Helper.RETURNED, "returned", value, message) : value;
    }

    // OrdersCodec.undeclared(thrown, "Orders/find")
    CodeBlock undeclared(CodeBlock thrown, String method) {
        return call(Helper.UNDECLARED, "undeclared", thrown, method);
    }

    // OrdersCodec.unwrapped(thrown)
    CodeBlock unwrapped(String thrown) {
        used.add(Helper.UNWRAPPED);
        return CodeBlock.of("$Lunwrapped($L)", codec, thrown);
    }

    private CodeBlock call(Helper helper, String name, CodeBlock value, String text) {
        used.add(helper);
        return CodeBlock.of("$L$L($L, $S)", codec, name, value, text);
    }
}
