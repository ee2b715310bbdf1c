package org.jvrpc.codegen.write;

import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.FieldSpec;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.ParameterizedTypeName;
import com.palantir.javapoet.TypeName;
import com.palantir.javapoet.TypeSpec;
import java.util.Locale;
import javax.lang.model.element.Modifier;
import org.jvrpc.codegen.model.ExceptionShape;
import org.jvrpc.codegen.model.MethodModel;
import org.jvrpc.codegen.model.ServiceModel;
import org.jvrpc.codegen.model.ServiceModel.Part;

/** Writes {@code OrdersAsyncStub}, which makes calls and gives futures of their answers. */
final class AsyncStubWriter {

    private final ServiceModel service;
    private final CallCode calls;

    AsyncStubWriter(ServiceModel service, ValueCode values) {
        this.service = service;
        this.calls = new CallCode(service, values);
    }

    TypeSpec.Builder write() {
        TypeSpec.Builder type = TypeSpec.classBuilder(service.part(Part.ASYNC_STUB))
                .addJavadoc("Calls {@link $T} in another process without waiting.\n", service.type());
        for (MethodModel method : service.methods()) {
            if (isAnswered(method)) {
                type.addField(reader(method));
            }
        }
        StubWriter.stub(type).addSuperinterface(service.part(Part.ASYNC));
        for (MethodModel method : service.methods()) {
            if (method.hasTwin()) {
                type.addMethod(method(method));
            }
        }
        for (MethodModel method : service.methods()) {
            if (isAnswered(method) && !method.thrown().isEmpty()) {
                type.addMethod(readOrThrow(method));
            }
        }
        return type;
    }

    private static boolean isAnswered(MethodModel method) {
        return method.hasTwin() && !method.oneWay();
    }

    // static final ResultReader<Long> PLACE = (in, thrown) -> in.readLong();
    // static final ResultReader<Order> FIND = OrdersAsyncStub::readFind;
    private FieldSpec reader(MethodModel method) {
        TypeName type = ParameterizedTypeName.get(Api.RESULT_READER, method.result().boxed());
        CodeBlock value = method.thrown().isEmpty()
                ? CodeBlock.of("(in, thrown) ->$W$L", calls.result(method, "in"))
                : CodeBlock.of("$T::$L", service.part(Part.ASYNC_STUB), readName(method));
        return FieldSpec.builder(type, method.constant(), Modifier.STATIC, Modifier.FINAL).initializer(value).build();
    }

    static String readName(MethodModel method) {
        return "read" + capitalized(method.handle());
    }

    static String capitalized(String name) {
        return name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
    }

    // @Override
    // public CompletableFuture<Long> place(Order order) {
    //     … begin and write …
    //     return call.invokeAsync(PLACE);
    // }
    private MethodSpec method(MethodModel method) {
        CallCode.Locals locals = new CallCode.Locals(method);
        CodeBlock.Builder code = CodeBlock.builder();
        calls.begin(code, method, locals);
        if (method.oneWay()) {
            code.addStatement("$L.send()", locals.get("call"));
        } else {
            code.addStatement("return $L.invokeAsync($L)", locals.get("call"), method.constant());
        }
        return AsyncInterfaceWriter.signature(method)
                .addAnnotation(Override.class)
                .addCode(code.build())
                .build();
    }

    // private static Order readFind(WireReader in, int thrown) throws NoSuchOrderException {
    //     return switch (thrown) { … };
    // }
    private MethodSpec readOrThrow(MethodModel method) {
        CodeBlock.Builder code = CodeBlock.builder();
        calls.returnOrThrow(code, method, CodeBlock.of("thrown"), "in");
        return MethodSpec.methodBuilder(readName(method))
                .addModifiers(Modifier.PRIVATE, Modifier.STATIC)
                .returns(method.result().boxed())
                .addParameter(Api.WIRE_READER, "in")
                .addParameter(TypeName.INT, "thrown")
                .addExceptions(method.thrown().stream().map(ExceptionShape::type).toList())
                .addCode(code.build())
                .build();
    }
}
