package org.jvrpc.codegen;

import java.io.IOException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.annotation.processing.AbstractProcessor;
import javax.annotation.processing.ProcessingEnvironment;
import javax.annotation.processing.RoundEnvironment;
import javax.lang.model.SourceVersion;
import javax.lang.model.element.Element;
import javax.lang.model.element.TypeElement;
import javax.tools.Diagnostic;
import org.jvrpc.api.RpcService;
import org.jvrpc.codegen.model.ServiceModel;
import org.jvrpc.codegen.model.ServiceModel.Part;
import org.jvrpc.codegen.parse.ServiceParser;
import org.jvrpc.codegen.parse.UnresolvedTypeException;
import org.jvrpc.codegen.write.ServiceWriter;

/**
 * Generates the classes of every interface annotated with {@link RpcService}. Each generated file comes from one
 * interface, as incremental builds need it.
 *
 * <p>Options: {@code -Ajvrpc.compare=PATH} names a jar, a folder or a descriptor ({@code META-INF/jvrpc/*.json}) of the
 * version that is in use; what breaks peers of it is a warning, with {@code -Ajvrpc.breaking=error} an error.
 */
public final class RpcServiceProcessor extends AbstractProcessor {

    /** Types of this compilation that we did not write, and those that we did. */
    private final Set<String> takenNames = new HashSet<>();
    private final Set<String> ourNames = new HashSet<>();
    /** What services wait for, by their names. */
    private final Map<String, String> deferred = new LinkedHashMap<>();

    private OldVersions oldVersions;

    /** For the compiler. */
    public RpcServiceProcessor() {
    }

    @Override
    public Set<String> getSupportedAnnotationTypes() {
        // With the mark of our own output, which javac -Xlint:processing would otherwise report as claimed by nobody.
        return Set.of("org.jvrpc.api.*", "javax.annotation.processing.Generated");
    }

    @Override
    public Set<String> getSupportedOptions() {
        return Set.of(OldVersions.COMPARE, OldVersions.BREAKING);
    }

    @Override
    public synchronized void init(ProcessingEnvironment environment) {
        super.init(environment);
        oldVersions = new OldVersions(environment.getOptions(), environment.getMessager());
    }

    @Override
    public SourceVersion getSupportedSourceVersion() {
        return SourceVersion.latestSupported();
    }

    @Override
    public boolean process(Set<? extends TypeElement> annotations, RoundEnvironment round) {
        for (Element root : round.getRootElements()) {
            if (root instanceof TypeElement type && !ourNames.contains(type.getQualifiedName().toString())) {
                takenNames.add(type.getQualifiedName().toString());
            }
        }
        Set<TypeElement> services = new LinkedHashSet<>();
        deferred.keySet().forEach(name -> services.add(processingEnv.getElementUtils().getTypeElement(name)));
        deferred.clear();
        for (Element element : round.getElementsAnnotatedWith(RpcService.class)) {
            services.add((TypeElement) element);
        }
        services.forEach(this::generate);
        if (round.processingOver()) {
            // Compilers report a missing type themselves, but kapt does not.
            deferred.forEach((name, why) -> processingEnv.getMessager().printMessage(Diagnostic.Kind.WARNING,
                    "nothing is generated for " + name + ": " + why,
                    processingEnv.getElementUtils().getTypeElement(name)));
        }
        return true;
    }

    private void generate(TypeElement service) {
        try {
            Optional<ServiceModel> model = ServiceParser.parse(processingEnv, service, takenNames);
            if (model.isPresent()) {
                write(service, model.get());
            }
        } catch (UnresolvedTypeException e) {
            deferred.put(service.getQualifiedName().toString(), e.getMessage());
        }
    }

    private void write(TypeElement service, ServiceModel model) {
        for (Part part : Part.values()) {
            ourNames.add(model.part(part).toString());
            takenNames.add(model.part(part).toString());
        }
        try {
            ServiceWriter.write(model, service, processingEnv.getFiler());
            oldVersions.compare(model.schema(), service);
        } catch (IOException e) {
            processingEnv.getMessager().printMessage(Diagnostic.Kind.ERROR, "cannot write: " + e, service);
        }
    }
}
