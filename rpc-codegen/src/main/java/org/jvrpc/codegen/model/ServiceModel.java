package org.jvrpc.codegen.model;

import com.palantir.javapoet.ClassName;
import java.util.List;
import org.jvrpc.api.schema.MethodSchema;
import org.jvrpc.api.schema.ServiceSchema;

/**
 * A service that can be written.
 *
 * @param type the annotated interface
 * @param wireName the service's name on the wire
 * @param methods by index
 * @param shapes what the methods reach
 * @param fingerprint hash of everything that both sides must agree on
 * @param traits properties of the interface that show in the generated code
 */
public record ServiceModel(
        ClassName type,
        String wireName,
        List<MethodModel> methods,
        Shapes shapes,
        long fingerprint,
        Traits traits) {

    public ServiceModel {
        methods = List.copyOf(methods);
    }

    /**
     * Properties of the interface that show in the generated code.
     *
     * @param isPublic true when the interface can be named everywhere
     * @param deprecated true when the generated code calls something deprecated
     * @param canBeMarked true when {@code javax.annotation.processing.Generated} can be named
     */
    public record Traits(boolean isPublic, boolean deprecated, boolean canBeMarked) {
    }

    /** The classes that are generated for a service. */
    public enum Part {
        SERVICE("Service"),
        ASYNC("Async"),
        STUB("Stub"),
        ASYNC_STUB("AsyncStub"),
        SKELETON("Skeleton"),
        CODEC("Codec");

        private final String suffix;

        Part(String suffix) {
            this.suffix = suffix;
        }

        /** Returns the name of the class for an interface: {@code p.Outer.Orders} has {@code p.Outer_OrdersStub}. */
        public ClassName of(ClassName service) {
            return ClassName.get(service.packageName(), String.join("_", service.simpleNames()) + suffix);
        }
    }

    /** Returns the name of a generated class. */
    public ClassName part(Part part) {
        return part.of(type);
    }

    /** Returns the hash of the classes of object graphs, 0 when there are none. */
    public long objectsFingerprint() {
        return Schema.objectsFingerprint(shapes);
    }

    /** Returns what the service is on the wire. */
    public ServiceSchema schema() {
        return new ServiceSchema(wireName, fingerprint, objectsFingerprint(), methods.stream()
                .map(method -> MethodSchema.parse(String.join(" ", method.signature())))
                .toList());
    }

    /** Returns {@code service/method}, as messages show a method. */
    public String fullName(MethodModel method) {
        return wireName + "/" + method.name();
    }
}
