package org.jvrpc.codegen.model;

import java.util.List;

/**
 * The components of a record with its type arguments applied.
 *
 * @param key the record with its type arguments, as the schema shows it; {@code ?} marks those that may be null
 * @param label the record's simple name, for messages
 * @param components in declaration order
 */
public record RecordShape(String key, String label, List<Component> components) {
    public RecordShape {
        components = List.copyOf(components);
    }
}
