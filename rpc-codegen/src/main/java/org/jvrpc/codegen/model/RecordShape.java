package org.jvrpc.codegen.model;

import com.palantir.javapoet.TypeName;
import java.util.List;

/**
 * The components of a record with its type arguments applied.
 *
 * @param type the record, with its type arguments
 * @param label the record's simple name, for messages
 * @param components in declaration order
 */
public record RecordShape(TypeName type, String label, List<Component> components) {
    public RecordShape {
        components = List.copyOf(components);
    }
}
