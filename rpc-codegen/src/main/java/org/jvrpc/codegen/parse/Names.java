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

    /** @throws UnresolvedTypeException when there is no such type, or none like an argument of it */
    static TypeName of(TypeMirror type) {
        try {
            return TypeName.get(type).withoutAnnotations();
        } catch (IllegalArgumentException e) { // "not a valid name: <any>"
            throw new UnresolvedTypeException(type);
        }
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
