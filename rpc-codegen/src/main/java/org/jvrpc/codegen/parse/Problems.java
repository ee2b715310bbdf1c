package org.jvrpc.codegen.parse;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.annotation.processing.Messager;
import javax.lang.model.element.AnnotationMirror;
import javax.lang.model.element.AnnotationValue;
import javax.lang.model.element.Element;
import javax.lang.model.element.PackageElement;
import javax.lang.model.element.TypeElement;
import javax.tools.Diagnostic;

/**
 * The errors found in one service, kept until it is known that no type is missing. What is wrong in an inherited class
 * file, which has no lines, stands on the service.
 */
final class Problems {

    private final TypeElement service;
    private final Set<String> sources;
    private final List<Entry> entries = new ArrayList<>();

    Problems(TypeElement service, Set<String> sources) {
        this.service = service;
        this.sources = sources;
    }

    /** An error and where it stands; annotation and value may be null. */
    private record Entry(String text, Element element, AnnotationMirror annotation, AnnotationValue value) {
    }

    void report(Element element, Problem problem, Object... values) {
        report(element, problem.text(values));
    }

    void report(Element element, String text) {
        reportWhereItHasLines(element, null, text);
    }

    /** Reports what an annotation of the element causes. */
    void report(Element element, AnnotationMirror annotation, Problem problem, Object... values) {
        reportWhereItHasLines(element, annotation, problem.text(values));
    }

    private void reportWhereItHasLines(Element element, AnnotationMirror annotation, String text) {
        Element outermost = element;
        Element owner = element;
        while (!(outermost.getEnclosingElement() instanceof PackageElement)) {
            owner = outermost;
            outermost = outermost.getEnclosingElement();
        }
        boolean hasLine = sources.contains(outermost.toString());
        entries.add(hasLine
                ? new Entry(text, element, annotation, null)
                : new Entry(text + " (inherited: " + outermost + "." + owner + ")", service, null, null));
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
