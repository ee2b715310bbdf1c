package org.jvrpc.codegen.write;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.FieldSpec;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.ParameterizedTypeName;
import com.palantir.javapoet.TypeName;
import com.palantir.javapoet.TypeSpec;
import com.palantir.javapoet.TypeVariableName;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import javax.lang.model.element.Modifier;
import org.jvrpc.codegen.model.ExceptionShape;
import org.jvrpc.codegen.model.MethodModel;
import org.jvrpc.codegen.model.ParameterModel;
import org.jvrpc.codegen.model.ServiceModel;
import org.jvrpc.codegen.model.ServiceModel.Part;
import org.jvrpc.codegen.model.WireType;

/** Writes {@code OrdersCodec}: how every type that a service reaches is read and written. */
final class CodecWriter {

    private static final TypeVariableName ANY = TypeVariableName.get("T");

    private final ServiceModel service;
    private final CodecNames names;
    private final ValueCode values;
    private final ComponentCode components;

    CodecWriter(ServiceModel service, CodecNames names, ValueCode values) {
        this.service = service;
        this.names = names;
        this.values = values.insideCodec();
        this.components = new ComponentCode(service, this.values);
    }

    /** Returns the class, empty when the service needs none. */
    Optional<TypeSpec.Builder> write() {
        TypeSpec.Builder type = TypeSpec.classBuilder(service.part(Part.CODEC))
                .addJavadoc("Layouts of what {@link $T} takes and returns.\n", service.type())
                .addModifiers(Modifier.FINAL)
                .addMethod(MethodSpec.constructorBuilder().addModifiers(Modifier.PRIVATE).build());
        streamElements().forEach(element -> type.addField(streamCodec(element)));
        TypeCodecWriter writer = new TypeCodecWriter(service.shapes(), values, components, type);
        for (Map.Entry<WireType, String> entry : names.types().entrySet()) {
            if (!ValueCode.isInline(entry.getKey())) {
                entry.getKey().accept(writer.named(entry.getValue()));
            }
        }
        for (Map.Entry<ExceptionShape, String> entry : names.exceptions().entrySet()) {
            type.addMethod(writeException(entry.getKey(), entry.getValue()));
            type.addMethod(readException(entry.getKey(), entry.getValue()));
        }
        addHelpers(type, values.usedHelpers());
        TypeSpec built = type.build();
        return built.methodSpecs().size() == 1 && built.fieldSpecs().isEmpty() ? Optional.empty() : Optional.of(type);
    }

    /** Returns the types of streams' elements that need a codec of the service, sorted by their constants. */
    private Collection<WireType> streamElements() {
        Map<String, WireType> elements = new TreeMap<>();
        for (MethodModel method : service.methods()) {
            for (ParameterModel parameter : method.parameters()) {
                addElement(elements, parameter.type(), parameter.role());
            }
            addElement(elements, method.result().type(), method.result().role());
        }
        return elements.values();
    }

    private void addElement(Map<String, WireType> elements, WireType type, ParameterModel.Role role) {
        if (role == ParameterModel.Role.STREAM && ValueCode.builtInCodec(type) == null) {
            elements.put(values.streamConstant(type), type);
        }
    }

    // static final StreamCodec<Order> ORDER_STREAM =
    //         StreamCodec.of(in -> readOrder(in), (out, value) -> writeOrder(out, value));
    private FieldSpec streamCodec(WireType element) {
        return FieldSpec.builder(ParameterizedTypeName.get(Api.STREAM_CODEC, element.javaType()),
                        values.streamConstant(element), Modifier.STATIC, Modifier.FINAL)
                .initializer("$T.of(\n$>$>in -> $L,\n(out, value) -> $L)$<$<", Api.STREAM_CODEC,
                        values.read(element, "in"), values.write(element, "out", CodeBlock.of("value")))
                .build();
    }

    // static void writeNoSuchOrderException(WireWriter out, NoSuchOrderException value) {
    //     out.writeLong(value.id());
    // }
    private MethodSpec writeException(ExceptionShape exception, String name) {
        MethodSpec.Builder builder = MethodSpec.methodBuilder("write" + name)
                .addModifiers(Modifier.STATIC)
                .addParameter(Api.WIRE_WRITER, "out")
                .addParameter(exception.type(), "value");
        components.write(builder, exception.type().toString(), exception.components(), component ->
                values.write(component.type(), "out", CodeBlock.of("value.$L()", component.accessor())));
        return builder.build();
    }

    // static NoSuchOrderException readNoSuchOrderException(WireReader in) {
    //     return new NoSuchOrderException(in.readLong());
    // }
    private MethodSpec readException(ExceptionShape exception, String name) {
        MethodSpec.Builder builder = MethodSpec.methodBuilder("read" + name)
                .addModifiers(Modifier.STATIC)
                .returns(exception.type())
                .addParameter(Api.WIRE_READER, "in");
        CodeBlock made = components.read(builder, exception.type().toString(), exception.type(),
                exception.components());
        return builder.addStatement("return $L", made).build();
    }

    private void addHelpers(TypeSpec.Builder type, Set<ValueCode.Helper> used) {
        for (ValueCode.Helper helper : used) {
            type.addMethod(switch (helper) {
                case NON_NULL -> nullCheck("nonNull", "INVALID_ARGUMENT");
                case RETURNED -> nullCheck("returned", "INTERNAL");
                case UNDECLARED -> undeclared();
                case UNWRAPPED -> unwrapped();
            });
        }
    }

    // static <T> T nonNull(T value, String message) {
    //     if (value == null) {
    //         throw new RpcException(Status.INVALID_ARGUMENT, message);
    //     }
    //     return value;
    // }
    private static MethodSpec nullCheck(String name, String status) {
        return MethodSpec.methodBuilder(name)
                .addModifiers(Modifier.STATIC)
                .addTypeVariable(ANY)
                .returns(ANY)
                .addParameter(ANY, "value")
                .addParameter(String.class, "message")
                .beginControlFlow("if (value == null)")
                .addStatement("throw new $T($T.$L, message)", Api.RPC_EXCEPTION, Api.STATUS, status)
                .endControlFlow()
                .addStatement("return value")
                .build();
    }

    // static RpcException undeclared(int thrown, String method) {
    //     return new RpcException(Status.INTERNAL, method + " does not declare exception number=" + thrown);
    // }
    private static MethodSpec undeclared() {
        return MethodSpec.methodBuilder("undeclared")
                .addModifiers(Modifier.STATIC)
                .returns(Api.RPC_EXCEPTION)
                .addParameter(TypeName.INT, "thrown")
                .addParameter(String.class, "method")
                .addStatement("return new $T($T.INTERNAL, method + $S + thrown)", Api.RPC_EXCEPTION, Api.STATUS,
                        " does not declare exception number=")
                .build();
    }

    // static Throwable unwrapped(Throwable thrown) {
    //     Throwable cause = thrown;
    //     while (cause instanceof CompletionException && cause.getCause() != null) {
    //         cause = cause.getCause();
    //     }
    //     return cause;
    // }
    private static MethodSpec unwrapped() {
        return MethodSpec.methodBuilder("unwrapped")
                .addModifiers(Modifier.STATIC)
                .returns(Throwable.class)
                .addParameter(Throwable.class, "thrown")
                .addStatement("$T cause = thrown", Throwable.class)
                .beginControlFlow("while (cause instanceof $T && cause.getCause() != null)",
                        ClassName.get(CompletionException.class))
                .addStatement("cause = cause.getCause()")
                .endControlFlow()
                .addStatement("return cause")
                .build();
    }
}
