package org.jvrpc.codegen.write;

import com.palantir.javapoet.AnnotationSpec;
import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.CodeBlock;
import com.palantir.javapoet.JavaFile;
import com.palantir.javapoet.TypeSpec;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import javax.annotation.processing.Filer;
import javax.lang.model.element.TypeElement;
import javax.tools.StandardLocation;
import org.jvrpc.api.schema.SchemaJson;
import org.jvrpc.codegen.model.MethodModel;
import org.jvrpc.codegen.model.ServiceModel;

/** Writes all classes of a service. */
public final class ServiceWriter {

    private static final String PROCESSOR = "org.jvrpc.codegen.RpcServiceProcessor";

    /** Where the asynchronous twin stands among the types. */
    private static final int ASYNC = 1;
    private static final int ASYNC_STUB = 3;

    private ServiceWriter() {
    }

    /**
     * Writes the files of a service, its descriptor, and what native-image has to know of it. {@code origin} is the
     * annotated interface.
     */
    public static void write(ServiceModel service, TypeElement origin, Filer filer) throws IOException {
        for (TypeSpec.Builder type : types(service, origin)) {
            TypeSpec built = type.build();
            String name = ClassName.get(service.type().packageName(), built.name()).reflectionName();
            try (Writer file = filer.createSourceFile(name, origin).openWriter()) {
                file.write(text(service, built));
            }
        }
        resource(SchemaJson.FOLDER + origin.getQualifiedName() + ".json", SchemaJson.write(service.schema()), origin,
                filer);
        resource(NativeImageMetadata.file(service), NativeImageMetadata.write(service), origin, filer);
    }

    private static void resource(String name, String text, TypeElement origin, Filer filer) throws IOException {
        try (Writer file = filer.createResource(StandardLocation.CLASS_OUTPUT, "", name, origin).openWriter()) {
            file.write(text);
        }
    }

    private static String text(ServiceModel service, TypeSpec type) {
        return Tidy.tidy(JavaFile.builder(service.type().packageName(), type)
                .indent("    ")
                .skipJavaLangImports(true)
                .build()
                .toString());
    }

    private static List<TypeSpec.Builder> types(ServiceModel service, TypeElement origin) {
        CodecNames names = new CodecNames(service);
        ValueCode values = new ValueCode(service, names);
        List<TypeSpec.Builder> types = new ArrayList<>();
        types.add(new DescriptorWriter(service).write());
        types.add(new AsyncInterfaceWriter(service).write());
        // The stub inherits the types nested in the interface: their simple names mean those and nothing else.
        types.add(new StubWriter(service, values).write().avoidClashesWithNestedClasses(origin));
        types.add(new AsyncStubWriter(service, values).write());
        types.add(new SkeletonWriter(service, values).write());
        new CodecWriter(service, names, values).write().ifPresent(types::add);
        for (int i = 0; i < types.size(); i++) {
            mark(service, types.get(i), i == ASYNC || i == ASYNC_STUB);
        }
        return types;
    }

    private static boolean isOverloaded(ServiceModel service) {
        return service.methods().stream().filter(MethodModel::hasTwin).map(MethodModel::name).distinct().count()
                < service.methods().stream().filter(MethodModel::hasTwin).count();
    }

    // @Generated("org.jvrpc.codegen.RpcServiceProcessor")
    // @SuppressWarnings({"deprecation", "removal"})
    private static void mark(ServiceModel service, TypeSpec.Builder type, boolean hasCallbacks) {
        if (service.traits().canBeMarked()) {
            type.addAnnotation(AnnotationSpec.builder(ClassName.get("javax.annotation.processing", "Generated"))
                    .addMember("value", "$S", PROCESSOR)
                    .build());
        }
        List<String> suppressed = new ArrayList<>();
        if (service.traits().deprecated()) {
            suppressed.addAll(List.of("deprecation", "removal"));
        }
        if (hasCallbacks && isOverloaded(service)) {
            suppressed.add("overloads"); // of functional interfaces, which callbacks are
        }
        if (!suppressed.isEmpty()) {
            CodeBlock names = suppressed.stream()
                    .map(name -> CodeBlock.of("$S", name))
                    .collect(CodeBlock.joining(", "));
            type.addAnnotation(AnnotationSpec.builder(SuppressWarnings.class)
                    .addMember("value", suppressed.size() == 1 ? "$L" : "{$L}", names)
                    .build());
        }
    }
}
