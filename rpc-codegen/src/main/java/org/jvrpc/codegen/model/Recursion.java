package org.jvrpc.codegen.model;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jvrpc.codegen.model.WireType.RecordType;

/** Finds records that hold values of their own type. */
public record Recursion(Map<String, RecordShape> records) {

    /** Returns true when a value may hold others of its type: it is read and written with a check of depth. */
    public boolean isRecursive(RecordShape record) {
        return reachesItself(record, true);
    }

    /** Returns true when each value must hold another of its type, so that there can be none. */
    public boolean isEndless(RecordShape record) {
        return reachesItself(record, false);
    }

    private boolean reachesItself(RecordShape record, boolean throughAll) {
        Set<String> seen = new HashSet<>();
        collect(record, throughAll, seen);
        return seen.contains(record.key());
    }

    private void collect(RecordShape record, boolean throughAll, Set<String> seen) {
        for (Component component : record.components()) {
            recordsIn(component.type(), throughAll)
                    .map(RecordType::key)
                    .filter(seen::add)
                    .forEach(name -> collect(records.get(name), throughAll, seen));
        }
    }

    private static Stream<RecordType> recordsIn(WireType type, boolean throughAll) {
        if (type instanceof RecordType record) {
            return Stream.of(record);
        }
        return throughAll ? type.parts().stream().flatMap(part -> recordsIn(part, true)) : Stream.empty();
    }
}
