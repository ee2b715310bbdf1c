package org.jvrpc.codegen.model;

import com.palantir.javapoet.TypeName;

/**
 * A parameter of a service method.
 *
 * @param name as declared
 * @param javaType as declared
 * @param type how it travels
 * @param role what becomes of it
 */
public record ParameterModel(String name, TypeName javaType, WireType type, Role role) {

    /** What becomes of a parameter. */
    public enum Role {
        /** It travels to the handler. */
        VALUE,
        /** It travels, and the handler reads it where it landed. */
        IN_PLACE,
        /** Its room travels to the handler, and its bytes come back. */
        INTO,
        /** It is a stream, and its type that of the elements. */
        STREAM,
        /** As {@link #STREAM}, of buffers that the consumer reads where they landed. */
        STREAM_IN_PLACE;

        /** Returns true for both kinds of streams. */
        public boolean isStream() {
            return this == STREAM || this == STREAM_IN_PLACE;
        }
    }

    /** Returns true for the buffer that carries bytes back. */
    public boolean isInto() {
        return role == Role.INTO;
    }

    /** Returns true for a stream. */
    public boolean isStream() {
        return role.isStream();
    }
}
