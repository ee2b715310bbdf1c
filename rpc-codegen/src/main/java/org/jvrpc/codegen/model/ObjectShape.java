package org.jvrpc.codegen.model;

import com.palantir.javapoet.TypeName;
import java.util.List;

/**
 * A class that travels inside object graphs.
 *
 * @param type the class, without type arguments; arrays too
 * @param concrete true when an object can have this very class, so that it is registered
 * @param fields what of it travels, as the schema shows it
 * @param references names of further {@code ObjectShape}s that it leads to
 */
public record ObjectShape(TypeName type, boolean concrete, List<String> fields, List<String> references) {
    public ObjectShape {
        fields = List.copyOf(fields);
        references = List.copyOf(references);
    }
}
