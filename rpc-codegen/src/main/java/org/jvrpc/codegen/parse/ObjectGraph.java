package org.jvrpc.codegen.parse;

import com.palantir.javapoet.TypeName;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.ArrayType;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.type.TypeVariable;
import javax.lang.model.type.WildcardType;
import javax.lang.model.util.ElementFilter;
import org.jvrpc.codegen.model.ObjectShape;
import org.jvrpc.codegen.model.WireType;

/**
 * Finds the classes that may travel inside object graphs: those that signatures name, what their fields name, type
 * arguments included, the permitted subclasses of sealed ones, and those listed in {@code @RpcService(objects)}.
 */
final class ObjectGraph {

    private final Scope scope;
    private final List<TypeMirror> listed = new ArrayList<>();
    private final SortedMap<String, ObjectShape> shapes = new TreeMap<>();

    ObjectGraph(Scope scope) {
        this.scope = scope;
    }

    SortedMap<String, ObjectShape> shapes() {
        return Collections.unmodifiableSortedMap(shapes);
    }

    /** Adds a class of {@code @RpcService(objects)}; all of them are added before any signature is parsed. */
    void list(TypeMirror type) {
        listed.add(type);
    }

    /** Walks a class of {@code @RpcService(objects)}. */
    void walkListed(TypeMirror type) throws UnsupportedTypeException {
        walk(type, new ArrayList<>());
    }

    /** Finds how a type of a signature travels that has no fixed layout. */
    WireType parse(DeclaredType type) throws UnsupportedTypeException {
        TypeElement element = Scope.element(type);
        String hint = Unsupported.hint(scope, type);
        if (hint != null) {
            throw new UnsupportedTypeException(Problem.UNSUPPORTED, type, hint);
        }
        if (Scope.isAbstract(element) || scope.isObject(type)) {
            boolean known = !Implementations.of(scope, element).isEmpty()
                    || !element.getPermittedSubclasses().isEmpty()
                    || listed.stream().anyMatch(candidate -> isA(candidate, type));
            if (!known) {
                throw new UnsupportedTypeException(Problem.NO_IMPLEMENTATION, type);
            }
        }
        List<String> references = new ArrayList<>();
        walk(type, references);
        return new WireType.ObjectType(Names.of(type), Names.raw(type), List.copyOf(references));
    }

    private boolean isA(TypeMirror candidate, DeclaredType type) {
        return scope.types().isSubtype(scope.types().erasure(candidate), scope.types().erasure(type));
    }

    private void walk(TypeMirror type, List<String> references) throws UnsupportedTypeException {
        switch (type.getKind()) {
            case ARRAY -> walkArray((ArrayType) type, references);
            case DECLARED -> walkDeclared((DeclaredType) type, references);
            case TYPEVAR -> walkBound(((TypeVariable) type).getUpperBound(), references);
            case WILDCARD -> walkBound(((WildcardType) type).getExtendsBound(), references);
            case ERROR -> throw new UnresolvedTypeException(type);
            default -> {
            }
        }
    }

    private void walkBound(TypeMirror bound, List<String> references) throws UnsupportedTypeException {
        if (bound != null && bound.getKind() == TypeKind.DECLARED && !scope.isObject(bound)
                && !references.contains(Names.raw((DeclaredType) bound).toString())) {
            walk(bound, references);
        }
    }

    private void walkArray(ArrayType type, List<String> references) throws UnsupportedTypeException {
        TypeName name = Names.of(scope.types().erasure(type));
        references.add(name.toString());
        if (!shapes.containsKey(name.toString())) {
            List<String> leads = new ArrayList<>();
            shapes.put(name.toString(), new ObjectShape(name, true, List.of(), leads));
            walk(type.getComponentType(), leads);
            shapes.put(name.toString(), new ObjectShape(name, true, List.of(), leads));
        }
    }

    private void walkDeclared(DeclaredType type, List<String> references) throws UnsupportedTypeException {
        TypeElement element = Scope.element(type);
        references.add(element.getQualifiedName().toString());
        boolean first = !shapes.containsKey(element.getQualifiedName().toString());
        if (first && !isPreRegistered(type)) {
            walkClass(type, element);
        }
        for (TypeMirror argument : type.getTypeArguments()) {
            walk(argument, references);
        }
    }

    /** Returns true for the classes that every codec of object graphs knows: strings and boxed primitives. */
    private boolean isPreRegistered(DeclaredType type) {
        return Names.of(type).isBoxedPrimitive() || Scope.name(type).equals("java.lang.String");
    }

    private void walkClass(DeclaredType type, TypeElement element) throws UnsupportedTypeException {
        requireTravels(type, element);
        String name = element.getQualifiedName().toString();
        TypeName raw = Names.raw(type);
        List<String> leads = new ArrayList<>();
        boolean concrete = !Scope.isAbstract(element) && !scope.isObject(type);
        shapes.put(name, new ObjectShape(raw, concrete, List.of(), leads));
        List<String> fields = new ArrayList<>();
        if (element.getKind() == ElementKind.ENUM) {
            fields.addAll(TypeParser.constants(element));
        } else if (!Scope.isOfJdk(element)) {
            walkFields(element, fields, leads);
        }
        walkSubclasses(type, element, leads);
        shapes.put(name, new ObjectShape(raw, concrete, fields, leads));
    }

    private void requireTravels(DeclaredType type, TypeElement element) throws UnsupportedTypeException {
        String hint = Unsupported.hint(scope, type);
        if (hint != null && !listed.contains(type)) {
            throw new UnsupportedTypeException(Problem.UNSUPPORTED, type, hint);
        }
        if (Scope.isInner(element)) {
            throw new UnsupportedTypeException(Problem.INNER_CLASS, element);
        }
        if (!scope.canName(element)) {
            throw new UnsupportedTypeException(Problem.INACCESSIBLE, element, scope.home());
        }
    }

    private void walkFields(TypeElement element, List<String> fields, List<String> leads)
            throws UnsupportedTypeException {
        for (VariableElement field : ElementFilter.fieldsIn(element.getEnclosedElements())) {
            if (travels(field)) {
                fields.add(field.getSimpleName() + ":" + Names.of(field.asType()).toString().replace(" ", ""));
                walkField(element, field, leads);
            }
        }
        TypeMirror parent = element.getSuperclass();
        if (parent.getKind() == TypeKind.DECLARED && !Scope.isOfJdk(Scope.element((DeclaredType) parent))) {
            walk(parent, leads);
        }
    }

    private static boolean travels(Element field) {
        return !field.getModifiers().contains(Modifier.STATIC) && !field.getModifiers().contains(Modifier.TRANSIENT);
    }

    private void walkField(TypeElement element, VariableElement field, List<String> leads)
            throws UnsupportedTypeException {
        try {
            walk(field.asType(), leads);
        } catch (UnsupportedTypeException refused) {
            throw refused.via(element.getSimpleName() + "." + field.getSimpleName());
        }
    }

    private void walkSubclasses(DeclaredType type, TypeElement element, List<String> leads)
            throws UnsupportedTypeException {
        for (TypeMirror permitted : element.getPermittedSubclasses()) {
            walk(permitted, leads);
        }
        for (TypeMirror implementation : Implementations.of(scope, element)) {
            walk(implementation, leads);
        }
        for (TypeMirror candidate : listed) {
            if (isA(candidate, type) && !scope.types().isSameType(candidate, type)) {
                walk(candidate, leads);
            }
        }
    }
}
