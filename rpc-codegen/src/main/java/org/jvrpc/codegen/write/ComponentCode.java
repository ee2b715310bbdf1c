package org.jvrpc.codegen.write;

import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.ParameterizedTypeName;
import com.palantir.javapoet.TypeName;
import java.util.ArrayList;
import java.util.List;
import org.jvrpc.api.schema.Layout;
import org.jvrpc.codegen.model.Component;
import org.jvrpc.codegen.model.ServiceModel;
import org.jvrpc.codegen.model.WireType;

/**
 * The components of a record or exception, in the codec. Of one that grew, those with {@code @Since} travel when the
 * peer has them, which the writer and the reader know.
 */
final class ComponentCode {

    private static final int ARGUMENTS_WIDTH = 70;

    private final ValueCode values;
    private final List<String> growing;

    ComponentCode(ServiceModel service, ValueCode values) {
        this.values = values;
        this.growing = service.schema().growing().stream().map(Layout::name).toList();
    }

    /** How one component is written. */
    interface Writer {
        CodeBlock write(Component component);
    }

    // out.writeLong(value.id());
    //
    // int fields = out.fields(0);
    // out.writeLong(value.id());
    // if (fields > 1) {
    //     OrdersCodec.writeNullableString(out, value.note());
    // }
    void write(MethodSpec.Builder method, String layout, List<Component> components, Writer writer) {
        int base = Component.base(components).size();
        begin(method, layout, "out", components, base);
        for (int i = 0; i < components.size(); i++) {
            if (i >= base) {
                method.beginControlFlow("if (fields > $L)", i);
            }
            method.addStatement(writer.write(components.get(i)));
            if (i >= base) {
                method.endControlFlow();
            }
        }
    }

    private void begin(MethodSpec.Builder method, String layout, String stream, List<Component> components, int base) {
        if (base < components.size()) {
            method.addStatement("int fields = $L.fields($L)", stream, growing.indexOf(layout));
        }
    }

    // new Leg(in.readLong(), in.readString())
    //
    // int fields = in.fields(0);
    // new Leg(in.readLong(), fields > 1 ? readNullableString(in) : null)
    CodeBlock read(MethodSpec.Builder method, String layout, TypeName type, List<Component> components) {
        begin(method, layout, "in", components, Component.base(components).size());
        List<CodeBlock> arguments = new ArrayList<>();
        for (Component component : components) {
            CodeBlock value = values.read(component.type(), "in");
            arguments.add(component.since() == 0 ? value
                    : CodeBlock.of("fields > $L ? $L : $L", arguments.size(), value, absent(component.type())));
        }
        CodeBlock name = type instanceof ParameterizedTypeName generic
                ? CodeBlock.of("$T<>", generic.rawType())
                : CodeBlock.of("$T", type);
        CodeBlock inOneLine = CodeBlock.join(arguments, ", ");
        return inOneLine.toString().length() <= ARGUMENTS_WIDTH
                ? CodeBlock.of("new $L($L)", name, inOneLine)
                : CodeBlock.of("new $L(\n$L)", name, CodeBlock.join(arguments, ",\n"));
    }

    private static CodeBlock absent(WireType type) {
        if (type instanceof WireType.Optional optional) {
            return CodeBlock.of("$T.empty()", optional.raw());
        }
        if (!type.javaType().isPrimitive()) {
            return CodeBlock.of("null");
        }
        return CodeBlock.of(switch (type.javaType().toString()) {
            case "boolean" -> "false";
            case "byte" -> "(byte) 0";
            case "short" -> "(short) 0";
            case "char" -> "(char) 0";
            case "long" -> "0L";
            case "float" -> "0F";
            case "double" -> "0D";
            default -> "0";
        });
    }
}
