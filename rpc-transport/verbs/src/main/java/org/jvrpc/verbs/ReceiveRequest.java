package org.jvrpc.verbs;

import java.util.List;

/**
 * A receive to be posted.
 *
 * @param wrId comes back in the completion
 * @param sges where the data goes, in order
 */
public record ReceiveRequest(long wrId, List<Sge> sges) {

    /** Copies the list. */
    public ReceiveRequest {
        sges = List.copyOf(sges);
    }

    /** Makes one. */
    public static ReceiveRequest of(long wrId, Sge... sges) {
        return new ReceiveRequest(wrId, List.of(sges));
    }
}
