package org.jvrpc.codegen.write;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.FieldSpec;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.NameAllocator;
import com.palantir.javapoet.ParameterizedTypeName;
import com.palantir.javapoet.TypeName;
import com.palantir.javapoet.TypeSpec;
import java.util.Comparator;
import java.util.List;
import javax.lang.model.element.Modifier;
import org.jvrpc.codegen.model.ExceptionShape;
import org.jvrpc.codegen.model.MethodModel;
import org.jvrpc.codegen.model.ParameterModel;
import org.jvrpc.codegen.model.ResultModel;
import org.jvrpc.codegen.model.ServiceModel;
import org.jvrpc.codegen.model.ServiceModel.Part;

/** Writes {@code OrdersSkeleton}, which calls an implementation from bytes. */
final class SkeletonWriter {

    private final ServiceModel service;
    private final ValueCode values;

    SkeletonWriter(ServiceModel service, ValueCode values) {
        this.service = service;
        this.values = values;
    }

    // private final Orders implementation;
    //
    // OrdersSkeleton(Orders implementation) {
    //     this.implementation = implementation;
    // }
    TypeSpec.Builder write() {
        TypeSpec.Builder type = TypeSpec.classBuilder(service.part(Part.SKELETON))
                .addJavadoc("Calls an implementation of {@link $T} from bytes.\n", service.type())
                .addModifiers(Modifier.FINAL)
                .addSuperinterface(Api.SKELETON);
        List<MethodModel> futures = service.methods().stream().filter(SkeletonWriter::isWrittenLater).toList();
        futures.forEach(method -> type.addField(resultWriter(method)));
        type.addField(FieldSpec.builder(service.type(), "implementation", Modifier.PRIVATE, Modifier.FINAL).build());
        type.addMethod(MethodSpec.constructorBuilder()
                .addParameter(service.type(), "implementation")
                .addStatement("this.implementation = implementation")
                .build());
        type.addMethod(dispatch());
        service.methods().forEach(method -> type.addMethod(handler(method)));
        futures.forEach(method -> type.addMethod(writeLater(method)));
        return type;
    }

    private static boolean isWrittenLater(MethodModel method) {
        return method.result().future() || method.result().isStream() && !method.thrown().isEmpty();
    }

    // @Override
    // public void dispatch(int index, ServerCall call) {
    //     switch (index) {
    //         case 0 -> find(call);
    //         case 1 -> place(call);
    //         default -> throw new RpcException(Status.UNIMPLEMENTED, "Orders has no method index=" + index);
    //     }
    // }
    private MethodSpec dispatch() {
        CodeBlock.Builder code = CodeBlock.builder().beginControlFlow("switch (index)");
        for (MethodModel method : service.methods()) {
            code.add("case $L -> $L(call);\n", method.index(), method.handle());
        }
        code.add("default -> throw new $T($Z$T.UNIMPLEMENTED, $S + index);\n", Api.RPC_EXCEPTION, Api.STATUS,
                service.wireName() + " has no method index=");
        return MethodSpec.methodBuilder("dispatch")
                .addAnnotation(Override.class)
                .addModifiers(Modifier.PUBLIC)
                .addParameter(TypeName.INT, "index")
                .addParameter(Api.SERVER_CALL, "call")
                .addCode(code.endControlFlow().build())
                .build();
    }

    /** Names of a handler's local variables; parameters are locals too. */
    private static NameAllocator locals(MethodModel method) {
        NameAllocator names = new NameAllocator();
        List.of("call", "in", "out", "result", "e", "implementation").forEach(name -> names.newName(name, name));
        method.parameters().forEach(parameter -> names.newName(parameter.name(), parameter));
        return names;
    }

    // private void place(ServerCall call) {
    //     WireReader in = call.arguments();
    //     Order order = OrdersCodec.readOrder(in);
    //     long result = implementation.place(order);
    //     call.result().writeLong(result);
    // }
    private MethodSpec handler(MethodModel method) {
        NameAllocator names = locals(method);
        CodeBlock.Builder code = CodeBlock.builder();
        if (!method.parameters().stream().allMatch(ParameterModel::isStream)) {
            code.addStatement("$T in = call.arguments()", Api.WIRE_READER);
        }
        for (ParameterModel parameter : method.parameters()) {
            code.add(argument(parameter, names.get(parameter)));
        }
        call(code, method, names);
        answer(code, method, names);
        return MethodSpec.methodBuilder(method.handle())
                .addModifiers(Modifier.PRIVATE)
                .addParameter(Api.SERVER_CALL, "call")
                .addCode(code.build())
                .build();
    }

    // ByteBuffer chunk = in.readView();
    // WireWriter out = call.result();
    // ByteBuffer into = out.reserve(in.readInt());
    // Flow.Publisher<Order> orders = call.elements(OrdersCodec.ORDER_STREAM);
    private CodeBlock argument(ParameterModel parameter, String name) {
        CodeBlock.Builder code = CodeBlock.builder();
        switch (parameter.role()) {
            case VALUE -> code.addStatement("$T $L =$W$L", parameter.javaType(), name,
                    values.read(parameter.type(), "in"));
            case IN_PLACE -> code.addStatement("$T $L = in.readView()", parameter.javaType(), name);
            case INTO -> code.addStatement("$T out = call.result()", Api.WIRE_WRITER)
                    .addStatement("$T $L = out.reserve(in.readInt())", parameter.javaType(), name);
            case STREAM, STREAM_IN_PLACE -> code.addStatement("$T $L = call.elements($L)", parameter.javaType(), name,
                    values.streamCodec(parameter.type(), parameter.role()));
            default -> throw new AssertionError(parameter.role());
        }
        return code.build();
    }

    // Order result;
    // try {
    //     result = implementation.find(id);
    // } catch (NoSuchOrderException e) {
    //     OrdersCodec.writeNoSuchOrderException(call.exception(1), e);
    //     return;
    // }
    private void call(CodeBlock.Builder code, MethodModel method, NameAllocator names) {
        CodeBlock arguments = CodeBlock.join(
                method.parameters().stream().map(parameter -> CodeBlock.of("$L", names.get(parameter))).toList(), ", ");
        CodeBlock invocation = CodeBlock.of("implementation.$L($L)", method.name(), arguments);
        ResultModel result = method.result();
        boolean hasResult = !result.javaType().equals(TypeName.VOID);
        if (method.thrown().isEmpty()) {
            code.addStatement(hasResult ? CodeBlock.of("$T result = $L", result.javaType(), invocation) : invocation);
            return;
        }
        if (hasResult) {
            code.addStatement("$T result", result.javaType());
        }
        code.beginControlFlow("try").addStatement(hasResult ? CodeBlock.of("result = $L", invocation) : invocation);
        catchDeclared(code, method);
        code.endControlFlow();
    }

    private void catchDeclared(CodeBlock.Builder code, MethodModel method) {
        boolean guarded = false;
        for (ExceptionShape exception : deepestFirst(method)) {
            if (exception.catchesAll() && !guarded) {
                code.nextControlFlow("catch ($T e)", undeclared(exception)).addStatement("throw e");
                guarded = true;
            }
            CodeBlock out = CodeBlock.of("call.exception($L)", method.numberOf(exception));
            code.nextControlFlow("catch ($T e)", exception.type())
                    .addStatement(values.write(exception, out, "e"))
                    .addStatement("return");
        }
    }

    private static List<ExceptionShape> deepestFirst(MethodModel method) {
        return method.thrown().stream().sorted(Comparator.comparingInt(exception -> -exception.depth())).toList();
    }

    /** Returns what a clause for a wide exception must leave alone: an RpcException keeps its status. */
    private static ClassName undeclared(ExceptionShape wide) {
        ClassName unchecked = ClassName.get(RuntimeException.class);
        return wide.type().equals(unchecked) ? Api.RPC_EXCEPTION : unchecked;
    }

    // OrdersCodec.writeOrder(call.result(), OrdersCodec.returned(result, "Orders/find returned null"));
    // call.completeLater(result, PLACE_LATER);
    private void answer(CodeBlock.Builder code, MethodModel method, NameAllocator names) {
        ParameterModel into = method.shape().into();
        if (method.result().isStream()) {
            code.addStatement("call.publish(result, $L$L)",
                    values.streamCodec(method.result().type(), method.result().role()),
                    method.thrown().isEmpty() ? "" : ", " + method.constant());
        } else if (method.result().future()) {
            code.addStatement("call.completeLater(result, $L)", method.constant());
        } else if (into != null) {
            code.addStatement("out.commit($L)", names.get(into));
            if (!method.result().isEmpty()) {
                code.addStatement(values.write(method.result().type(), "out", CodeBlock.of("result")));
            }
        } else if (!method.oneWay()) {
            code.addStatement(result(method));
        }
    }

    private CodeBlock result(MethodModel method) {
        if (method.result().isEmpty() || method.result().isStream()) {
            return CodeBlock.of("call.result()");
        }
        CodeBlock value = values.returned(method.result().type(), CodeBlock.of("result"),
                service.fullName(method) + " returned null");
        return values.write(method.result().type(), "call.result()", value);
    }

    // private static final ServerCall.ResultWriter<Long> PLACE_LATER = OrdersSkeleton::writePlaceLater;
    private FieldSpec resultWriter(MethodModel method) {
        TypeName type = ParameterizedTypeName.get(Api.RESULT_WRITER, method.result().boxed());
        return FieldSpec.builder(type, method.constant(), Modifier.PRIVATE, Modifier.STATIC, Modifier.FINAL)
                .initializer("$Z$T::$L", service.part(Part.SKELETON), writeName(method))
                .build();
    }

    private static String writeName(MethodModel method) {
        return "write" + AsyncStubWriter.capitalized(method.handle());
    }

    // private static void writePlaceLater(ServerCall call, Long result, Throwable thrown) throws Throwable {
    //     if (thrown != null) {
    //         Throwable cause = OrdersCodec.unwrapped(thrown);
    //         if (cause instanceof NoSuchOrderException e) { … call.exception(1) …; return; }
    //         throw cause;
    //     }
    //     OrdersCodec.writeNullableLong(call.result(), result);
    // }
    private MethodSpec writeLater(MethodModel method) {
        CodeBlock.Builder code = CodeBlock.builder().beginControlFlow("if (thrown != null)");
        if (method.thrown().isEmpty()) {
            code.addStatement("throw $L", values.unwrapped("thrown"));
        } else {
            code.addStatement("$T cause = $L", Throwable.class, values.unwrapped("thrown"));
            writeDeclared(code, method);
            code.addStatement("throw cause");
        }
        code.endControlFlow().addStatement(result(method));
        return MethodSpec.methodBuilder(writeName(method))
                .addModifiers(Modifier.PRIVATE, Modifier.STATIC)
                .addParameter(Api.SERVER_CALL, "call")
                .addParameter(method.result().boxed(), "result")
                .addParameter(Throwable.class, "thrown")
                .addException(Throwable.class)
                .addCode(code.build())
                .build();
    }

    private void writeDeclared(CodeBlock.Builder code, MethodModel method) {
        boolean guarded = false;
        for (ExceptionShape exception : deepestFirst(method)) {
            if (exception.catchesAll() && !guarded) {
                code.beginControlFlow("if (cause instanceof $T)", undeclared(exception))
                        .addStatement("throw cause")
                        .endControlFlow();
                guarded = true;
            }
            CodeBlock out = CodeBlock.of("call.exception($L)", method.numberOf(exception));
            code.beginControlFlow("if (cause instanceof $T e)", exception.type())
                    .addStatement(values.write(exception, out, "e"))
                    .addStatement("return")
                    .endControlFlow();
        }
    }
}
