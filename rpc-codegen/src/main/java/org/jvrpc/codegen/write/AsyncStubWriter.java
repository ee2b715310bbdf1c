package org.jvrpc.codegen.write;

import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.FieldSpec;
import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.ParameterizedTypeName;
import com.palantir.javapoet.TypeName;
import com.palantir.javapoet.TypeSpec;
import java.util.HashSet;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import javax.lang.model.element.Modifier;
import org.jvrpc.codegen.model.ExceptionShape;
import org.jvrpc.codegen.model.MethodModel;
import org.jvrpc.codegen.model.ParameterModel;
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
            if (isAnswered(method) || endsByException(method)) {
                type.addField(reader(method));
            }
        }
        StubWriter.stub(type).addSuperinterface(service.part(Part.ASYNC));
        for (MethodModel method : service.methods()) {
            if (method.hasTwin()) {
                type.addMethod(method(method));
            }
            if (isAnswered(method)) {
                type.addMethod(callbackMethod(method));
            }
        }
        for (MethodModel method : service.methods()) {
            if (isAnswered(method)) {
                type.addMethod(begin(method));
            }
            if (isAnswered(method) && !method.thrown().isEmpty() || endsByException(method)) {
                type.addMethod(readOrThrow(method));
            }
        }
        return type;
    }

    private static boolean isAnswered(MethodModel method) {
        return method.hasTwin() && !method.oneWay();
    }

    /** Returns true for a stream that may end by a declared exception, which the synchronous stub reads by this one. */
    private static boolean endsByException(MethodModel method) {
        return method.result().isStream() && !method.thrown().isEmpty();
    }

    // static final ResultReader.OfLong PLACE = (in, thrown) -> in.readLong();
    // static final ResultReader<Order> FIND = OrdersAsyncStub::readFind;
    private FieldSpec reader(MethodModel method) {
        String kind = method.result().unboxedKind();
        TypeName type = kind == null
                ? ParameterizedTypeName.get(Api.RESULT_READER, method.result().boxed())
                : Api.RESULT_READER.nestedClass("Of" + kind);
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
    //     return beginPlace(order).invokeAsync(PLACE);
    // }
    //
    // @Override
    // public void tick(long instrument, double price) {
    //     … begin and write …
    //     call.send();
    // }
    private MethodSpec method(MethodModel method) {
        CodeBlock.Builder code = CodeBlock.builder();
        if (method.oneWay()) {
            CallCode.Locals locals = new CallCode.Locals(method);
            calls.begin(code, method, locals);
            code.addStatement("$L.send()", locals.get("call"));
        } else {
            code.addStatement("return $L.invokeAsync($L)", beginning(method), method.constant());
        }
        return AsyncInterfaceWriter.signature(method)
                .addAnnotation(Override.class)
                .addCode(code.build())
                .build();
    }

    // @Override
    // public void place(Order order, RpcCallback.OfLong callback) {
    //     Objects.requireNonNull(callback, "callback is null: org.acme.Orders/place");
    //     beginPlace(order).invokeCallbackLong(PLACE, callback);
    // }
    private MethodSpec callbackMethod(MethodModel method) {
        String callback = AsyncInterfaceWriter.callbackName(method);
        String kind = method.result().unboxedKind();
        return AsyncInterfaceWriter.callbackSignature(method)
                .addAnnotation(Override.class)
                .addStatement("$T.requireNonNull($L, $S)", Objects.class, callback,
                        "callback is null: " + service.fullName(method))
                .addStatement("$L.invokeCallback$L($L, $L)", beginning(method), kind == null ? "" : kind,
                        method.constant(), callback)
                .build();
    }

    /** Returns a name that no method of the service has, nor the beginning of another one. */
    private String beginName(MethodModel method) {
        Set<String> taken = new HashSet<>();
        service.methods().forEach(other -> taken.add(other.name()));
        for (MethodModel other : service.methods()) {
            String name = "begin" + capitalized(other.handle());
            while (!taken.add(name)) {
                name += "Call";
            }
            if (other.equals(method)) {
                return name;
            }
        }
        throw new IllegalArgumentException("no method of the service: " + method.handle());
    }

    private CodeBlock beginning(MethodModel method) {
        String arguments = method.parameters().stream().map(ParameterModel::name).collect(Collectors.joining(", "));
        return CodeBlock.of("$L($L)", beginName(method), arguments);
    }

    // private ClientCall beginPlace(Order order) {
    //     … begin and write …
    //     return call;
    // }
    private MethodSpec begin(MethodModel method) {
        CallCode.Locals locals = new CallCode.Locals(method);
        CodeBlock.Builder code = CodeBlock.builder();
        calls.begin(code, method, locals);
        code.addStatement("return $L", locals.get("call"));
        return MethodSpec.methodBuilder(beginName(method))
                .addModifiers(Modifier.PRIVATE)
                .returns(CallCode.callType(method))
                .addParameters(AsyncInterfaceWriter.parameters(method))
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
                .returns(method.result().unboxedKind() == null
                        ? method.result().boxed() : method.result().type().javaType())
                .addParameter(Api.WIRE_READER, "in")
                .addParameter(TypeName.INT, "thrown")
                .addExceptions(method.thrown().stream().map(ExceptionShape::type).toList())
                .addCode(code.build())
                .build();
    }
}
