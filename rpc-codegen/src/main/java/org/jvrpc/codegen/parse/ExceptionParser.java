package org.jvrpc.codegen.parse;

import com.palantir.javapoet.ClassName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.ElementFilter;
import org.jvrpc.codegen.model.BasicTypes;
import org.jvrpc.codegen.model.Component;
import org.jvrpc.codegen.model.ExceptionShape;
import org.jvrpc.codegen.model.WireType;

/**
 * Finds how a declared exception travels. It is made anew on the other side by one of its constructors, in this order:
 * <ol>
 * <li>the one with the most parameters, each of which has a public accessor {@code x()} or {@code getX()} of its type;
 *     a {@code String message} has one in {@code getMessage()};
 * <li>the one of a single String, which is taken for the message;
 * <li>the one without parameters.
 * </ol>
 */
final class ExceptionParser {

    private final Scope scope;
    private final TypeParser types;

    ExceptionParser(Scope scope, TypeParser types) {
        this.scope = scope;
        this.types = types;
    }

    ExceptionShape parse(DeclaredType type) throws UnsupportedTypeException {
        TypeElement element = Scope.element(type);
        if (!scope.isA(type, "java.lang.Exception")) {
            throw new UnsupportedTypeException(Problem.EXCEPTION_TOO_WIDE, type);
        }
        if (Scope.isAbstract(element)) {
            throw new UnsupportedTypeException(Problem.EXCEPTION_ABSTRACT, type);
        }
        if (!scope.canName(element)) {
            throw new UnsupportedTypeException(Problem.INACCESSIBLE, element, scope.home());
        }
        if (Scope.isInner(element)) {
            throw new UnsupportedTypeException(Problem.INNER_CLASS, element);
        }
        types.use(element);
        boolean catchesAll = scope.isA(scope.elements().getTypeElement("org.jvrpc.api.RpcException").asType(),
                Scope.name(type));
        return new ExceptionShape(ClassName.get(element), depth(element), catchesAll, carried(element));
    }

    private static int depth(TypeElement type) {
        int depth = 0;
        TypeMirror at = type.getSuperclass();
        while (at instanceof DeclaredType parent) {
            depth++;
            at = Scope.element(parent).getSuperclass();
        }
        return depth;
    }

    private List<Component> carried(TypeElement type) throws UnsupportedTypeException {
        List<ExecutableElement> constructors = ElementFilter.constructorsIn(type.getEnclosedElements()).stream()
                .filter(this::isUsable)
                .sorted(Comparator.comparingInt((ExecutableElement c) -> -c.getParameters().size())
                        .thenComparing(c -> c.asType().toString()))
                .toList();
        for (ExecutableElement constructor : constructors) {
            List<Component> components = match(type, constructor);
            if (components != null && !components.isEmpty()) {
                return components;
            }
        }
        if (constructors.stream().anyMatch(this::takesMessage)) {
            return List.of(message("message"));
        }
        if (constructors.stream().anyMatch(constructor -> constructor.getParameters().isEmpty())) {
            return List.of();
        }
        throw new UnsupportedTypeException(Problem.EXCEPTION_CONSTRUCTOR, type, scope.home());
    }

    private boolean isUsable(ExecutableElement constructor) {
        return scope.canAccess(constructor) && constructor.getThrownTypes().stream().allMatch(scope::isUnchecked);
    }

    private boolean takesMessage(ExecutableElement constructor) {
        return constructor.getParameters().size() == 1 && isString(constructor.getParameters().get(0).asType());
    }

    private boolean isString(TypeMirror type) {
        return scope.types().isSameType(type, scope.elements().getTypeElement("java.lang.String").asType());
    }

    private static Component message(String name) {
        WireType string = BasicTypes.find(ClassName.get(String.class));
        return new Component(name, "getMessage", new WireType.Nullable(string.javaType(), string));
    }

    /** Returns what to carry for each parameter, or null when one has no accessor. */
    private List<Component> match(TypeElement type, ExecutableElement constructor) throws UnsupportedTypeException {
        List<Component> components = new ArrayList<>();
        Versions versions = new Versions();
        for (VariableElement parameter : constructor.getParameters()) {
            Component component = match(type, parameter, versions);
            if (component == null) {
                return null;
            }
            components.add(component);
        }
        return components;
    }

    private Component match(TypeElement type, VariableElement parameter, Versions versions)
            throws UnsupportedTypeException {
        String name = parameter.getSimpleName().toString();
        String getter = "get" + name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
        if (name.equals("cause") || name.equals("suppressed") || !types.isFixed(parameter.asType())) {
            return null;
        }
        for (String accessor : List.of(name, getter)) {
            if (hasAccessor(type, accessor, parameter.asType())) {
                return new Component(name, accessor, carried(type, parameter), since(type, parameter, versions));
            }
        }
        return null;
    }

    private static int since(TypeElement type, VariableElement parameter, Versions versions)
            throws UnsupportedTypeException {
        try {
            return versions.next(parameter);
        } catch (UnsupportedTypeException refused) {
            throw refused.via(type.getSimpleName() + "." + parameter.getSimpleName());
        }
    }

    /** Nothing that a handler left null in its exception may keep the exception from arriving. */
    private WireType carried(TypeElement type, VariableElement parameter) throws UnsupportedTypeException {
        try {
            return types.parseTop(parameter.asType(), !parameter.asType().getKind().isPrimitive());
        } catch (UnsupportedTypeException refused) {
            throw refused.via(type.getSimpleName() + "." + parameter.getSimpleName());
        }
    }

    private boolean hasAccessor(TypeElement type, String name, TypeMirror result) {
        return ElementFilter.methodsIn(scope.elements().getAllMembers(type)).stream()
                .filter(method -> method.getSimpleName().contentEquals(name))
                .filter(method -> method.getParameters().isEmpty() && method.getThrownTypes().isEmpty())
                .filter(method -> method.getModifiers().contains(Modifier.PUBLIC))
                .filter(method -> !method.getModifiers().contains(Modifier.STATIC))
                .anyMatch(method -> scope.types().isSameType(method.getReturnType(), result));
    }
}
