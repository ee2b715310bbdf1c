package org.jvrpc.offload;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A WR that changes another.
 *
 * @param by which changes it
 * @param target which is changed
 * @param field the bytes of it
 */
public record Modification(WorkRequest by, WorkRequest target, Place field) {

    static List<Modification> of(ProgramBuilder program) {
        List<Modification> all = new ArrayList<>();
        for (Map<ChainQueue, List<WorkRequest>> lists : List.of(program.allSends(), program.allTriggers())) {
            for (List<WorkRequest> wrs : lists.values()) {
                for (WorkRequest by : wrs) {
                    for (Place place : by.changes()) {
                        if (place.wr() != null) {
                            check(program, by, place);
                            all.add(new Modification(by, place.wr(), place));
                        }
                    }
                }
            }
        }
        return all;
    }

    private static void check(ProgramBuilder program, WorkRequest by, Place place) {
        ChainQueue queue = place.wr().queue();
        if (queue == null || !program.allSends().getOrDefault(queue, List.of()).contains(place.wr())) {
            throw new OrderException(by + " changes " + place.wr().verb() + " of queue " + queue
                    + ", which is no WR of the program " + program.name());
        }
    }

    /** Returns the field's name, for instance {@code data[0].address}. */
    public String fieldName() {
        return Field.nameOf(target.opcode(), field.wqeOffset(), field.length());
    }
}
