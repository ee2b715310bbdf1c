package org.jvrpc.codegen.parse;

import javax.lang.model.element.AnnotationMirror;
import javax.lang.model.element.Element;
import org.jvrpc.api.Since;
import org.jvrpc.codegen.model.WireType;

/** The versions of the components of one record or exception, which are asked for in order. */
final class Versions {

    private int last;

    /** Returns the version that brought a component, 0 for the first. @param elements where it may be marked */
    int next(Element... elements) throws UnsupportedTypeException {
        int since = since(elements);
        if (since < last) {
            throw new UnsupportedTypeException(Problem.SINCE_ORDER, elements[0].getSimpleName(), last);
        }
        last = since;
        return since;
    }

    private static int since(Element... elements) throws UnsupportedTypeException {
        for (Element element : elements) {
            AnnotationMirror mark = Annotations.find(element, Since.class);
            if (mark != null) {
                int since = (Integer) Annotations.value(mark, "value").getValue();
                if (since < 1) {
                    throw new UnsupportedTypeException(Problem.SINCE_VALUE, since, element.getSimpleName());
                }
                return since;
            }
        }
        return 0;
    }

    /** Returns how a component travels that may be absent: it has a value for that, which null is for most types. */
    static WireType absent(WireType type, int since) {
        return since > 0 && type.refusesNull() && !(type instanceof WireType.Optional)
                ? new WireType.Nullable(type.javaType(), type)
                : type;
    }
}
