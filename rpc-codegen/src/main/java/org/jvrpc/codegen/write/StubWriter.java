package org.jvrpc.codegen.write;

import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.FieldSpec;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.TypeSpec;
import javax.lang.model.element.Modifier;
import org.jvrpc.codegen.model.ExceptionShape;
import org.jvrpc.codegen.model.MethodModel;
import org.jvrpc.codegen.model.ParameterModel;
import org.jvrpc.codegen.model.ServiceModel;
import org.jvrpc.codegen.model.ServiceModel.Part;

/** Writes {@code OrdersStub}, which makes calls and waits for their answers. */
final class StubWriter {

    private final ServiceModel service;
    private final CallCode calls;
    private final ValueCode values;

    StubWriter(ServiceModel service, ValueCode values) {
        this.service = service;
        this.values = values;
        this.calls = new CallCode(service, values);
    }

    TypeSpec.Builder write() {
        TypeSpec.Builder type = stub(TypeSpec.classBuilder(service.part(Part.STUB)))
                .addJavadoc("Calls {@link $T} in another process.\n", service.type())
                .addSuperinterface(service.type());
        service.methods().forEach(method -> type.addMethod(method(method)));
        return type;
    }

    // private final RpcChannel channel;
    //
    // OrdersStub(RpcChannel channel) {
    //     this.channel = channel;
    // }
    static TypeSpec.Builder stub(TypeSpec.Builder type) {
        return type.addModifiers(Modifier.FINAL)
                .addField(FieldSpec.builder(Api.RPC_CHANNEL, "channel", Modifier.PRIVATE, Modifier.FINAL).build())
                .addMethod(MethodSpec.constructorBuilder()
                        .addParameter(Api.RPC_CHANNEL, "channel")
                        .addStatement("this.channel = channel")
                        .build());
    }

    private MethodSpec method(MethodModel method) {
        MethodSpec.Builder builder = MethodSpec.methodBuilder(method.name())
                .addAnnotation(Override.class)
                .addModifiers(Modifier.PUBLIC)
                .returns(method.result().javaType())
                .varargs(method.shape().settings().varargs());
        for (ParameterModel parameter : method.parameters()) {
            builder.addParameter(parameter.javaType(), parameter.name());
        }
        if (!method.result().future()) {
            method.thrown().stream().map(ExceptionShape::type).forEach(builder::addException);
        }
        CallCode.Locals locals = new CallCode.Locals(method);
        CodeBlock.Builder code = CodeBlock.builder();
        calls.begin(code, method, locals);
        end(code, method, locals);
        return builder.addCode(code.build()).build();
    }

    // return call.publish(OrdersCodec.ORDER_STREAM);
    // call.send();
    // return call.invokeAsync(OrdersAsyncStub.PLACE_LATER);
    private void end(CodeBlock.Builder code, MethodModel method, CallCode.Locals locals) {
        if (method.result().isStream()) {
            code.addStatement("return $L.publish($L$L)", locals.get("call"),
                    values.streamCodec(method.result().type(), method.result().role()), method.thrown().isEmpty()
                            ? "" : CodeBlock.of(", $T.$L", service.part(Part.ASYNC_STUB), method.constant()));
        } else if (method.oneWay()) {
            code.addStatement("$L.send()", locals.get("call"));
        } else if (method.result().future()) {
            code.addStatement("return $L.invokeAsync($T.$L)", locals.get("call"), service.part(Part.ASYNC_STUB),
                    method.constant());
        } else {
            invoke(code, method, locals);
        }
    }

    // try {
    //     WireReader in = call.invoke();
    //     return in.readLong();
    // } finally {
    //     call.close();
    // }
    private void invoke(CodeBlock.Builder code, MethodModel method, CallCode.Locals locals) {
        String call = locals.get("call");
        code.beginControlFlow("try");
        if (method.result().isEmpty() && method.thrown().isEmpty() && method.shape().into() == null) {
            code.addStatement("$L.invoke()", call);
        } else {
            code.addStatement("$T $L = $L.invoke()", Api.WIRE_READER, locals.get("in"), call);
            answer(code, method, locals);
        }
        code.nextControlFlow("finally").addStatement("$L.close()", call).endControlFlow();
    }

    private void answer(CodeBlock.Builder code, MethodModel method, CallCode.Locals locals) {
        String in = locals.get("in");
        CodeBlock thrown = CodeBlock.of("$L.thrown()", locals.get("call"));
        ParameterModel into = method.shape().into();
        if (!method.thrown().isEmpty() && into == null && !method.result().isEmpty()) {
            calls.returnOrThrow(code, method, thrown, in);
            return;
        }
        if (!method.thrown().isEmpty()) {
            calls.throwDeclared(code, method, thrown, in);
        }
        if (into != null) {
            code.addStatement("$L.readInto($L)", in, into.name());
        }
        if (!method.result().isEmpty()) {
            code.addStatement("return $L", values.read(method.result().type(), in));
        }
    }
}
