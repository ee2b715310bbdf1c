package org.jvrpc.offload.wr;

import org.jvrpc.offload.queue.Field;

/**
 * A WR that changes another.
 *
 * @param by which changes it
 * @param target which is changed
 * @param field the bytes of it
 */
public record Modification(WorkRequest by, WorkRequest target, Place field) {

    /** Returns the field's name, for instance {@code data[0].address}. */
    public String fieldName() {
        return Field.nameOf(target.opcode(), field.wqeOffset(), field.length());
    }
}
