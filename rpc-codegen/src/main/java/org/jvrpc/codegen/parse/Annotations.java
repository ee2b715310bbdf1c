package org.jvrpc.codegen.parse;

import java.lang.annotation.Annotation;
import java.util.List;
import java.util.Map;
import javax.lang.model.AnnotatedConstruct;
import javax.lang.model.element.AnnotationMirror;
import javax.lang.model.element.AnnotationValue;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.TypeElement;

/** Reads annotations without loading the classes that they name. */
final class Annotations {

    private Annotations() {
    }

    /** Returns the annotation of a class on an element, or null. */
    static AnnotationMirror find(AnnotatedConstruct element, Class<? extends Annotation> type) {
        for (AnnotationMirror mirror : element.getAnnotationMirrors()) {
            TypeElement found = (TypeElement) mirror.getAnnotationType().asElement();
            if (found.getQualifiedName().contentEquals(type.getName())) {
                return mirror;
            }
        }
        return null;
    }

    static boolean has(AnnotatedConstruct element, Class<? extends Annotation> type) {
        return find(element, type) != null;
    }

    /** Returns true when any annotation with the simple name {@code Nullable} is there. */
    static boolean nullable(AnnotatedConstruct... constructs) {
        for (AnnotatedConstruct construct : constructs) {
            for (AnnotationMirror mirror : construct.getAnnotationMirrors()) {
                if (mirror.getAnnotationType().asElement().getSimpleName().contentEquals("Nullable")) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Returns the value that an annotation states for an attribute, or null when it leaves it to the default. */
    static AnnotationValue value(AnnotationMirror annotation, String attribute) {
        if (annotation == null) {
            return null;
        }
        for (Map.Entry<? extends ExecutableElement, ? extends AnnotationValue> entry
                : annotation.getElementValues().entrySet()) {
            if (entry.getKey().getSimpleName().contentEquals(attribute)) {
                return entry.getValue();
            }
        }
        return null;
    }

    /** Returns the values of an array attribute; empty when it is left to the default. */
    static List<? extends AnnotationValue> values(AnnotationMirror annotation, String attribute) {
        AnnotationValue value = value(annotation, attribute);
        if (value == null || !(value.getValue() instanceof List<?> list)) {
            return List.of();
        }
        return list.stream().map(AnnotationValue.class::cast).toList();
    }
}
