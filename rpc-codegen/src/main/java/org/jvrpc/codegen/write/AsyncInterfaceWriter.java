package org.jvrpc.codegen.write;

import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.ParameterSpec;
import com.palantir.javapoet.ParameterizedTypeName;
import com.palantir.javapoet.TypeName;
import com.palantir.javapoet.TypeSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import javax.lang.model.element.Modifier;
import org.jvrpc.codegen.model.MethodModel;
import org.jvrpc.codegen.model.ParameterModel;
import org.jvrpc.codegen.model.ServiceModel;
import org.jvrpc.codegen.model.ServiceModel.Part;

/** Writes {@code OrdersAsync}, the interface of the asynchronous twin. */
final class AsyncInterfaceWriter {

    private final ServiceModel service;

    AsyncInterfaceWriter(ServiceModel service) {
        this.service = service;
    }

    TypeSpec.Builder write() {
        TypeSpec.Builder type = TypeSpec.interfaceBuilder(service.part(Part.ASYNC));
        if (service.traits().isPublic()) {
            type.addModifiers(Modifier.PUBLIC);
        }
        type.addJavadoc("{@link $T}, answered by futures or callbacks. A future ends with what the method throws.\n",
                service.type());
        String leftOut = service.methods().stream()
                .filter(method -> method.shape().into() != null)
                .map(method -> "{@code " + method.name() + "}")
                .distinct()
                .collect(Collectors.joining(", "));
        if (!leftOut.isEmpty()) {
            type.addJavadoc("\n<p>Left out, because they fill a buffer of a caller who waits: $L.\n", leftOut);
        }
        String streams = service.methods().stream()
                .filter(method -> method.result().isStream())
                .map(method -> "{@code " + method.name() + "}")
                .distinct()
                .collect(Collectors.joining(", "));
        if (!streams.isEmpty()) {
            type.addJavadoc("\n<p>Left out, because they return a stream and wait for nothing: $L.\n", streams);
        }
        for (MethodModel method : service.methods()) {
            if (method.hasTwin()) {
                type.addMethod(declaration(signature(method)));
                if (!method.oneWay()) {
                    type.addMethod(declaration(callbackSignature(method)));
                }
            }
        }
        return type;
    }

    // CompletableFuture<Order> find(long id);
    // void find(long id, RpcCallback<Order> callback);
    private static MethodSpec declaration(MethodSpec.Builder signature) {
        return signature.addModifiers(Modifier.ABSTRACT).build();
    }

    /** Returns name, parameters and result of a method of the asynchronous twin. */
    static MethodSpec.Builder signature(MethodModel method) {
        return MethodSpec.methodBuilder(method.name())
                .addModifiers(Modifier.PUBLIC)
                .returns(method.twinResult())
                .addParameters(parameters(method))
                .varargs(method.shape().settings().varargs());
    }

    /** Returns name and parameters of a method that calls back. */
    static MethodSpec.Builder callbackSignature(MethodModel method) {
        return MethodSpec.methodBuilder(method.name())
                .addModifiers(Modifier.PUBLIC)
                .addParameters(parameters(method))
                .addParameter(callback(method), callbackName(method));
    }

    /** Returns a name for the callback that no parameter has. */
    static String callbackName(MethodModel method) {
        return new CallCode.Locals(method).get("callback");
    }

    private static TypeName callback(MethodModel method) {
        String kind = method.result().unboxedKind();
        return kind == null
                ? ParameterizedTypeName.get(Api.RPC_CALLBACK, method.result().boxed())
                : Api.RPC_CALLBACK.nestedClass("Of" + kind);
    }

    /** Returns the parameters as the interface has them. */
    static List<ParameterSpec> parameters(MethodModel method) {
        List<ParameterSpec> all = new ArrayList<>();
        for (ParameterModel parameter : method.parameters()) {
            ParameterSpec.Builder spec = ParameterSpec.builder(parameter.javaType(), parameter.name());
            if (parameter.role() == ParameterModel.Role.IN_PLACE) {
                spec.addAnnotation(Api.IN_PLACE);
            }
            all.add(spec.build());
        }
        return all;
    }
}
