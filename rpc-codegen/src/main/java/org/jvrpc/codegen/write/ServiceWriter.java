package org.jvrpc.codegen.write;

import com.palantir.javapoet.AnnotationSpec;
import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.JavaFile;
import com.palantir.javapoet.TypeSpec;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import javax.annotation.processing.Filer;
import javax.lang.model.element.TypeElement;
import org.jvrpc.codegen.model.ServiceModel;

/** Writes all classes of a service. */
public final class ServiceWriter {

    private static final String PROCESSOR = "org.jvrpc.codegen.RpcServiceProcessor";

    private ServiceWriter() {
    }

    /** Writes the files of a service, in which {@code origin} is the annotated interface. */
    public static void write(ServiceModel service, TypeElement origin, Filer filer) throws IOException {
        for (TypeSpec.Builder type : types(service, origin)) {
            TypeSpec built = type.build();
            String name = ClassName.get(service.type().packageName(), built.name()).reflectionName();
            try (Writer file = filer.createSourceFile(name, origin).openWriter()) {
                file.write(text(service, built));
            }
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
        for (TypeSpec.Builder type : types) {
            mark(service, type);
        }
        return types;
    }

    // @Generated("org.jvrpc.codegen.RpcServiceProcessor")
    // @SuppressWarnings({"deprecation", "removal"})
    private static void mark(ServiceModel service, TypeSpec.Builder type) {
        if (service.traits().canBeMarked()) {
            type.addAnnotation(AnnotationSpec.builder(ClassName.get("javax.annotation.processing", "Generated"))
                    .addMember("value", "$S", PROCESSOR)
                    .build());
        }
        if (service.traits().deprecated()) {
            type.addAnnotation(AnnotationSpec.builder(SuppressWarnings.class)
                    .addMember("value", "{$S, $S}", "deprecation", "removal")
                    .build());
        }
    }
}
