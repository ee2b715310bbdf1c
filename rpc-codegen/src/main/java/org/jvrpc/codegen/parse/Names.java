package org.jvrpc.codegen.parse;

import com.palantir.javapoet.ClassName;
import com.palantir.javapoet.TypeName;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeMirror;

/** The compiler's types as values that can be compared. */
final class Names {

    private Names() {
    }

    static TypeName of(TypeMirror type) {
        return TypeName.get(type).withoutAnnotations();
    }

    static ClassName raw(DeclaredType type) {
        return ClassName.get((TypeElement) type.asElement());
    }
}
