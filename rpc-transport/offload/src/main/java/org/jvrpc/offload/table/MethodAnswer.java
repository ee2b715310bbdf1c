package org.jvrpc.offload.table;

import java.nio.ByteBuffer;

/**
 * The bytes of a call's arguments and of its answer, wherever they lie.
 *
 * @param thrown 0, or the number of the declared exception whose bytes the result is
 */
public record MethodAnswer(
        ByteBuffer arguments,
        int argumentsAt,
        int argumentBytes,
        ByteBuffer result,
        int resultAt,
        int resultBytes,
        int thrown) {
}
