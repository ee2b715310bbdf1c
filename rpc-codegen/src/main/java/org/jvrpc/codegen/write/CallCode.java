package org.jvrpc.codegen.write;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.NameAllocator;
import java.util.List;
import org.jvrpc.codegen.model.ExceptionShape;
import org.jvrpc.codegen.model.MethodModel;
import org.jvrpc.codegen.model.ParameterModel;
import org.jvrpc.codegen.model.ServiceModel;
import org.jvrpc.codegen.model.ServiceModel.Part;

/** The parts of a client's method that the synchronous and the asynchronous stub share. */
final class CallCode {

    private final ServiceModel service;
    private final ValueCode values;

    CallCode(ServiceModel service, ValueCode values) {
        this.service = service;
        this.values = values;
    }

    /** Names of local variables that no parameter has. */
    static final class Locals {

        private final NameAllocator names = new NameAllocator();
        private final boolean shadowsChannel;

        Locals(MethodModel method) {
            method.parameters().forEach(parameter -> names.newName(parameter.name()));
            List.of("call", "callback", "in", "out", "t").forEach(name -> names.newName(name, name));
            shadowsChannel = method.parameters().stream().anyMatch(parameter -> parameter.name().equals("channel"));
        }

        String get(String name) {
            return names.get(name);
        }
    }

    // ClientCall call = channel.begin(OrdersService.PLACE);
    // try {
    //     OrdersCodec.writeOrder(call.arguments(), OrdersCodec.nonNull(order, "order is null: Orders/place"));
    // } catch (Throwable t) {
    //     throw call.abandon(t);
    // }
    //
    // StreamCall call = channel.beginStream(OrdersService.TICKS);
    void begin(CodeBlock.Builder code, MethodModel method, Locals locals) {
        String call = locals.get("call");
        code.addStatement("$T $L = $Lchannel.begin$L($T.$L)", callType(method), call,
                locals.shadowsChannel ? "this." : "", method.hasStream() ? "Stream" : "", service.part(Part.SERVICE),
                method.constant());
        if (method.parameters().isEmpty()) {
            return;
        }
        code.beginControlFlow("try");
        String out = call + ".arguments()";
        if (method.parameters().stream().filter(parameter -> !parameter.isStream()).count() > 1) {
            code.addStatement("$T $L = $L", Api.WIRE_WRITER, locals.get("out"), out);
            out = locals.get("out");
        }
        for (ParameterModel parameter : method.parameters()) {
            code.addStatement(parameter.isStream()
                    ? stream(method, parameter, call) : argument(method, parameter, out));
        }
        code.nextControlFlow("catch ($T $L)", Throwable.class, locals.get("t"))
                .addStatement("throw $L.abandon($L)", call, locals.get("t"))
                .endControlFlow();
    }

    static ClassName callType(MethodModel method) {
        return method.hasStream() ? Api.STREAM_CALL : Api.CLIENT_CALL;
    }

    // call.elements(OrdersCodec.nonNull(orders, "orders is null: Orders/placeAll"), OrdersCodec.ORDER_STREAM);
    private CodeBlock stream(MethodModel method, ParameterModel parameter, String call) {
        String message = parameter.name() + " is null: " + service.fullName(method);
        return CodeBlock.of("$L.elements($Z$L, $L)", call,
                values.nonNull(CodeBlock.of("$L", parameter.name()), message),
                values.streamCodec(parameter.type(), parameter.role()));
    }

    private CodeBlock argument(MethodModel method, ParameterModel parameter, String out) {
        String message = parameter.name() + " is null: " + service.fullName(method);
        CodeBlock value = values.checked(parameter.type(), CodeBlock.of("$L", parameter.name()), message);
        return parameter.isInto()
                ? CodeBlock.of("$L.writeInt($L.remaining())", out, value)
                : values.write(parameter.type(), out, value);
    }

    // switch (call.thrown()) {
    //     case 0 -> {
    //     }
    //     case 1 -> throw OrdersCodec.readNoSuchOrderException(in);
    //     default -> throw OrdersCodec.undeclared(call.thrown(), "Orders/cancel");
    // }
    void throwDeclared(CodeBlock.Builder code, MethodModel method, CodeBlock thrown, String in) {
        code.beginControlFlow("switch ($L)", thrown).add("case 0 -> {\n}\n");
        addThrows(code, method, thrown, in);
        code.endControlFlow();
    }

    // return switch (call.thrown()) {
    //     case 0 -> OrdersCodec.readOrder(in);
    //     case 1 -> throw OrdersCodec.readNoSuchOrderException(in);
    //     default -> throw OrdersCodec.undeclared(call.thrown(), "Orders/find");
    // };
    void returnOrThrow(CodeBlock.Builder code, MethodModel method, CodeBlock thrown, String in) {
        code.add("return switch ($L) {\n$>", thrown).add("case 0 -> $L;\n", result(method, in));
        addThrows(code, method, thrown, in);
        code.add("$<};\n");
    }

    private void addThrows(CodeBlock.Builder code, MethodModel method, CodeBlock thrown, String in) {
        for (ExceptionShape exception : method.thrown()) {
            code.add("case $L -> throw $L;\n", method.numberOf(exception), values.read(exception, in));
        }
        code.add("default -> throw $L;\n", values.undeclared(thrown, service.fullName(method)));
    }

    /** Returns the expression that reads a result, {@code null} for none. */
    CodeBlock result(MethodModel method, String in) {
        return method.result().isEmpty() || method.result().isStream()
                ? CodeBlock.of("null") : values.read(method.result().type(), in);
    }
}
