package org.jvrpc.codegen.parse;

import com.palantir.javapoet.ClassName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.annotation.processing.Messager;
import javax.annotation.processing.ProcessingEnvironment;
import javax.lang.model.element.AnnotationMirror;
import javax.lang.model.element.AnnotationValue;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.ElementFilter;
import org.jvrpc.api.RpcService;
import org.jvrpc.codegen.model.MethodModel;
import org.jvrpc.codegen.model.MethodShape;
import org.jvrpc.codegen.model.Schema;
import org.jvrpc.codegen.model.ServiceModel;
import org.jvrpc.codegen.model.ServiceModel.Part;
import org.jvrpc.codegen.model.ServiceModel.Traits;
import org.jvrpc.codegen.model.Shapes;

/**
 * Reads one annotated interface.
 * <ul>
 * <li>the interface itself: kind, access, type parameters, name, names of what will be generated
 * <li>the object classes that the annotation lists
 * <li>each method: settings, result, parameters, exceptions, then how they go together
 * <li>the schema over all of them, which gives each method its index
 * </ul>
 */
public final class ServiceParser {

    private static final Pattern WIRE_NAME = Pattern.compile("[A-Za-z0-9._$-]+");

    private final TypeElement service;
    private final Set<String> takenNames;
    private final Scope scope;
    private final Problems problems;
    private final AnnotationMirror annotation;
    private final ObjectGraph objects;
    private final TypeParser types;

    private ServiceParser(ProcessingEnvironment environment, TypeElement service, Set<String> takenNames) {
        this.service = service;
        this.takenNames = takenNames;
        this.problems = new Problems(service, takenNames);
        this.scope = new Scope(environment.getTypeUtils(), environment.getElementUtils(),
                environment.getElementUtils().getPackageOf(service));
        this.annotation = Annotations.find(service, RpcService.class);
        this.objects = new ObjectGraph(scope);
        this.types = new TypeParser(scope, objects);
    }

    /**
     * Reads an interface and reports what is wrong with it.
     *
     * @param takenNames qualified names of the types in this compilation, which nothing may be generated under
     * @return empty when something is wrong
     * @throws UnresolvedTypeException when it names a type that another processor may still write; nothing is reported
     */
    public static Optional<ServiceModel> parse(
            ProcessingEnvironment environment, TypeElement service, Set<String> takenNames) {
        ServiceParser parser = new ServiceParser(environment, service, takenNames);
        ServiceModel model = parser.parse();
        Messager messager = environment.getMessager();
        parser.problems.printTo(messager);
        return parser.problems.none() ? Optional.of(model) : Optional.empty();
    }

    private ServiceModel parse() {
        if (!checkInterface()) {
            return null;
        }
        checkNames();
        listObjects();
        List<ExecutableElement> found = new MethodFinder(scope, service, problems).find();
        List<MethodShape> shapes = methods(found);
        if (!problems.none()) {
            return null;
        }
        Shapes reached = types.shapes();
        Schema schema = new Schema(reached);
        List<MethodModel> methods = schema.methods(shapes);
        return new ServiceModel(ClassName.get(service), wireName(), methods, reached,
                schema.fingerprint(wireName(), methods), traits(found));
    }

    private boolean checkInterface() {
        if (service.getKind() != ElementKind.INTERFACE) {
            problems.report(service, annotation, null, Problem.NOT_AN_INTERFACE.text(service.getSimpleName()));
        } else if (!scope.canName(service)) {
            problems.report(service, Problem.INTERFACE_PRIVATE, service.getSimpleName());
        } else if (!service.getTypeParameters().isEmpty()) {
            problems.report(service, Problem.INTERFACE_GENERIC, service.getSimpleName());
        }
        return problems.none();
    }

    private String wireName() {
        AnnotationValue name = Annotations.value(annotation, "name");
        return name == null || name.getValue().equals("") ? service.getQualifiedName().toString()
                : (String) name.getValue();
    }

    private void checkNames() {
        if (!WIRE_NAME.matcher(wireName()).matches()) {
            AnnotationValue name = Annotations.value(annotation, "name");
            problems.report(service, annotation, name, Problem.SERVICE_NAME.text(wireName()));
        }
        // The stub inherits nested types, so that inside it their simple names hide those of its own package.
        Set<String> nested = ElementFilter.typesIn(scope.elements().getAllMembers(service)).stream()
                .map(type -> type.getSimpleName().toString())
                .collect(Collectors.toSet());
        for (Part part : Part.values()) {
            ClassName name = part.of(ClassName.get(service));
            if (takenNames.contains(name.toString()) || nested.contains(name.simpleName())) {
                problems.report(service, Problem.NAME_CLASH, name, service);
            }
        }
    }

    private void listObjects() {
        List<? extends AnnotationValue> values = Annotations.values(annotation, "objects");
        for (AnnotationValue value : values) {
            if (value.getValue() instanceof TypeMirror type && isClassOrArray(type)) {
                objects.list(scope.types().erasure(type));
            } else if (value.getValue() instanceof TypeMirror) {
                problems.report(service, annotation, value, Problem.OBJECTS_PRIMITIVE.text(value));
            } else {
                throw new UnresolvedTypeException(value);
            }
        }
        for (AnnotationValue value : values) {
            if (value.getValue() instanceof TypeMirror type && isClassOrArray(type)) {
                walkListed(value, scope.types().erasure(type));
            }
        }
    }

    private static boolean isClassOrArray(TypeMirror type) {
        return type.getKind() == TypeKind.ARRAY || type instanceof DeclaredType;
    }

    private void walkListed(AnnotationValue value, TypeMirror type) {
        try {
            objects.walkListed(type);
        } catch (UnsupportedTypeException refused) {
            problems.report(service, annotation, value, refused.getMessage());
        }
    }

    private List<MethodShape> methods(List<ExecutableElement> found) {
        MethodParser parser = new MethodParser(scope, types, problems);
        MethodFinder finder = new MethodFinder(scope, service, problems);
        List<MethodShape> shapes = new ArrayList<>();
        for (ExecutableElement method : found) {
            MethodShape shape = parser.parse(method, finder.applied(method));
            if (shape != null) {
                shapes.add(shape);
            }
        }
        return shapes;
    }

    private Traits traits(List<ExecutableElement> methods) {
        boolean isPublic = true;
        for (Element at = service; at instanceof TypeElement; at = at.getEnclosingElement()) {
            isPublic &= at.getModifiers().contains(Modifier.PUBLIC);
        }
        types.use(service);
        methods.forEach(types::use);
        boolean canBeMarked = scope.elements().getTypeElement(scope.elements().getModuleOf(service),
                "javax.annotation.processing.Generated") != null;
        return new Traits(isPublic, types.usesDeprecated(), canBeMarked);
    }
}
