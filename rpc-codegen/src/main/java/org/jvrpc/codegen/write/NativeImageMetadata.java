package org.jvrpc.codegen.write;

import com.palantir.javapoet.ArrayTypeName;
import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.ParameterizedTypeName;
import com.palantir.javapoet.TypeName;
import java.util.ArrayList;
import java.util.List;
import org.jvrpc.codegen.model.MethodModel;
import org.jvrpc.codegen.model.ServiceModel;
import org.jvrpc.codegen.model.ServiceModel.Part;

/**
 * What GraalVM's native-image has to keep for a service, as a {@code reachability-metadata.json}: the class that is
 * found by its name, the classes that Kryo makes and reads by reflection, and the proxy that offloads need.
 */
final class NativeImageMetadata {

    private static final String FOLDER = "META-INF/native-image/org.jvrpc.codegen/";
    private static final String FILE = "/reachability-metadata.json";

    private NativeImageMetadata() {
    }

    /** Returns the file of a service, each in a folder of its own: a jar may have several. */
    static String file(ServiceModel service) {
        return FOLDER + service.type().reflectionName() + FILE;
    }

    static String write(ServiceModel service) {
        List<String> entries = new ArrayList<>();
        entries.add("{\"type\": \"%s\", \"methods\": [{\"name\": \"<init>\", \"parameterTypes\": []}]}"
                .formatted(service.part(Part.SERVICE).reflectionName()));
        if (service.methods().stream().map(MethodModel::shape).anyMatch(shape -> shape.settings().offload())) {
            entries.add("{\"type\": {\"proxy\": [\"%s\"]}}".formatted(service.type().reflectionName()));
        }
        for (TypeName type : service.shapes().objectClasses()) {
            String fields = name(type).startsWith("java.") ? "" : ", \"allDeclaredFields\": true"; // Kryo knows those
            entries.add("{\"type\": \"%s\", \"allDeclaredConstructors\": true%s}".formatted(name(type), fields));
        }
        return "{\n  \"reflection\": [\n    " + String.join(",\n    ", entries) + "\n  ]\n}\n";
    }

    private static String name(TypeName type) {
        if (type instanceof ArrayTypeName array) {
            return name(array.componentType()) + "[]";
        }
        if (type instanceof ParameterizedTypeName generic) {
            return generic.rawType().reflectionName();
        }
        return type instanceof ClassName plain ? plain.reflectionName() : type.toString();
    }
}
