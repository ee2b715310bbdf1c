package org.jvrpc.api.reflection;

import java.util.List;

/**
 * A service as it is on the wire, and how its server runs it.
 *
 * @param descriptor as {@link org.jvrpc.api.schema.SchemaJson} writes and reads it
 * @param methods by index, as in the descriptor
 */
public record ServiceDescription(String descriptor, List<MethodTraits> methods) {
}
