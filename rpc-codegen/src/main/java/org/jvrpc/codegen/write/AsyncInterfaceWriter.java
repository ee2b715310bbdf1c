package org.jvrpc.codegen.write;

import com.palantir.javapoet.MethodSpec;
import com.palantir.javapoet.ParameterSpec;
import com.palantir.javapoet.TypeSpec;
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
        type.addJavadoc("{@link $T}, answered by futures. A future ends with what the method throws.\n",
                service.type());
        String leftOut = service.methods().stream()
                .filter(method -> !method.hasTwin())
                .map(method -> "{@code " + method.name() + "}")
                .distinct()
                .collect(Collectors.joining(", "));
        if (!leftOut.isEmpty()) {
            type.addJavadoc("\n<p>Left out, because they fill a buffer of a caller who waits: $L.\n", leftOut);
        }
        service.methods().stream().filter(MethodModel::hasTwin).forEach(method -> type.addMethod(declaration(method)));
        return type;
    }

    // CompletableFuture<Order> find(long id);
    private static MethodSpec declaration(MethodModel method) {
        return signature(method)
                .addModifiers(Modifier.ABSTRACT)
                .build();
    }

    /** Returns name, parameters and result of a method of the asynchronous twin. */
    static MethodSpec.Builder signature(MethodModel method) {
        MethodSpec.Builder builder = MethodSpec.methodBuilder(method.name())
                .addModifiers(Modifier.PUBLIC)
                .returns(method.twinResult())
                .varargs(method.shape().settings().varargs());
        for (ParameterModel parameter : method.parameters()) {
            ParameterSpec.Builder spec = ParameterSpec.builder(parameter.javaType(), parameter.name());
            if (parameter.role() == ParameterModel.Role.IN_PLACE) {
                spec.addAnnotation(Api.IN_PLACE);
            }
            builder.addParameter(spec.build());
        }
        return builder;
    }
}
