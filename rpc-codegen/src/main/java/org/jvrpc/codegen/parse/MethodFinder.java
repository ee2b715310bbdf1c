package org.jvrpc.codegen.parse;

import java.lang.annotation.Annotation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.ExecutableType;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.ElementFilter;
import org.jvrpc.api.Offload;
import org.jvrpc.api.OneWay;
import org.jvrpc.api.RpcMethod;

/** Finds the methods of a service: abstract, inherited ones too, each once. */
final class MethodFinder {

    private final Scope scope;
    private final TypeElement service;
    private final Problems problems;

    MethodFinder(Scope scope, TypeElement service, Problems problems) {
        this.scope = scope;
        this.service = service;
        this.problems = problems;
    }

    List<ExecutableElement> find() {
        Map<String, ExecutableElement> byErasure = new LinkedHashMap<>();
        for (ExecutableElement method : ElementFilter.methodsIn(scope.elements().getAllMembers(service))) {
            if (!method.getModifiers().contains(Modifier.ABSTRACT)) {
                checkLocal(method);
            } else if (!isOfObject(method)) {
                add(byErasure, method);
            }
        }
        return new ArrayList<>(byErasure.values());
    }

    private void checkLocal(ExecutableElement method) {
        for (Class<? extends Annotation> annotation : List.of(RpcMethod.class, OneWay.class, Offload.class)) {
            if (Annotations.has(method, annotation)) {
                problems.report(method, Problem.LOCAL_METHOD, annotation.getSimpleName(), method.getSimpleName());
            }
        }
    }

    /** Returns true for {@code equals}, {@code hashCode} and {@code toString}, which every stub has of its own. */
    private boolean isOfObject(ExecutableElement method) {
        TypeElement object = scope.elements().getTypeElement("java.lang.Object");
        return ElementFilter.methodsIn(object.getEnclosedElements()).stream()
                .anyMatch(inherited -> scope.elements().overrides(method, inherited, service));
    }

    private void add(Map<String, ExecutableElement> byErasure, ExecutableElement method) {
        ExecutableElement other = byErasure.putIfAbsent(erasure(method), method);
        if (other == null) {
            return;
        }
        if (!scope.types().isSubsignature(applied(method), applied(other))) {
            problems.report(service, Problem.SAME_ERASURE, method, other);
        } else if (!isInterchangeable(method, other)) {
            problems.report(service, Problem.DUPLICATE_METHOD, service, method, method.getEnclosingElement(),
                    other.getEnclosingElement(), service);
        }
    }

    private String erasure(ExecutableElement method) {
        StringBuilder text = new StringBuilder(method.getSimpleName());
        applied(method).getParameterTypes().forEach(type -> text.append(' ').append(scope.types().erasure(type)));
        return text.toString();
    }

    ExecutableType applied(ExecutableElement method) {
        return (ExecutableType) scope.types().asMemberOf((DeclaredType) service.asType(), method);
    }

    private boolean isInterchangeable(ExecutableElement method, ExecutableElement other) {
        ExecutableType left = applied(method);
        ExecutableType right = applied(other);
        return scope.types().isSameType(left.getReturnType(), right.getReturnType())
                && texts(left.getThrownTypes()).equals(texts(right.getThrownTypes()));
    }

    private static List<String> texts(List<? extends TypeMirror> types) {
        return types.stream().map(Object::toString).sorted().toList();
    }
}
