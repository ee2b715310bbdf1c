package org.jvrpc.offload.construct;

import java.util.List;
import org.jvrpc.offload.wr.Counts;
import org.jvrpc.offload.wr.WorkRequest;

/**
 * The WRs that a construct added, for counting and for what follows it.
 *
 * @param wrs all, in the order in which they run
 * @param operands the dormant WRs that hold what is compared, 48 bits each, the highest first
 * @param last what runs last, signalled: the next construct waits for it
 */
public record Construct(List<WorkRequest> wrs, List<WorkRequest> operands, WorkRequest last) {

    /** Copies the lists. */
    public Construct {
        wrs = List.copyOf(wrs);
        operands = List.copyOf(operands);
    }

    /** Counts as the paper's Table 2 does. */
    public Counts counts() {
        return Counts.of(wrs);
    }
}
