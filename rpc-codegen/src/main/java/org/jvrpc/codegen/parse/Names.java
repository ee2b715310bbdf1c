package org.jvrpc.codegen.parse;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.TypeName;
import java.util.stream.Collectors;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.ArrayType;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeMirror;

/** The compiler's types as values that can be compared. */
final class Names {

    private Names() {
    }

    static TypeName of(TypeMirror type) {
        return TypeName.get(type).withoutAnnotations();
    }

    /** Returns a type's text without blanks, with {@code ?} after each type argument that is marked as nullable. */
    static String key(TypeMirror type) {
        if (type instanceof ArrayType array) {
            return marked(array.getComponentType()) + "[]";
        }
        if (!(type instanceof DeclaredType declared) || declared.getTypeArguments().isEmpty()) {
            return of(type).toString();
        }
        return declared.getTypeArguments().stream()
                .map(Names::marked)
                .collect(Collectors.joining(",", raw(declared) + "<", ">"));
    }

    private static String marked(TypeMirror type) {
        return key(type) + (Annotations.nullable(type) ? "?" : "");
    }

    static ClassName raw(DeclaredType type) {
        return ClassName.get((TypeElement) type.asElement());
    }
}
