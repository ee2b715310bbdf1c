package org.jvrpc.codegen.parse;

import java.util.ArrayList;
import java.util.List;
import javax.annotation.processing.Messager;
import javax.lang.model.element.AnnotationMirror;
import javax.lang.model.element.AnnotationValue;
import javax.lang.model.element.Element;
import javax.tools.Diagnostic;

/** The errors found in one service, kept until it is known that no type is missing. */
final class Problems {

    private final List<Entry> entries = new ArrayList<>();

    /** An error and where it stands; annotation and value may be null. */
    private record Entry(String text, Element element, AnnotationMirror annotation, AnnotationValue value) {
    }

    void report(Element element, Problem problem, Object... values) {
        report(element, problem.text(values));
    }

    void report(Element element, String text) {
        entries.add(new Entry(text, element, null, null));
    }

    void report(Element element, AnnotationMirror annotation, AnnotationValue value, String text) {
        entries.add(new Entry(text, element, annotation, value));
    }

    boolean none() {
        return entries.isEmpty();
    }

    void printTo(Messager messager) {
        for (Entry entry : entries) {
            messager.printMessage(Diagnostic.Kind.ERROR, entry.text, entry.element, entry.annotation, entry.value);
        }
    }
}
