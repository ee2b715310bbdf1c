package org.jvrpc.fabric.cost;

/**
 * What a host adds to its NIC's time. Each is free to choose: no paper has them all. Latency and occupancy are apart,
 * as a NIC is a pipeline: many are under way at a time, and each keeps the next one waiting for less than it takes.
 *
 * @param postNs in which the CPU writes a WR and rings the doorbell, one after the other
 * @param fetchNs from the doorbell until the NIC has the WR and its payload, over PCIe
 * @param fetchBusyNs for which the next fetch waits
 * @param completeNs from the NIC's completion until the CPU sees it
 * @param completeBusyNs for which the next completion waits
 * @param jitterNs the longest that chance adds to a fetch and to a completion
 */
public record HostCosts(long postNs, long fetchNs, long fetchBusyNs, long completeNs, long completeBusyNs,
        long jitterNs) {

    /** @throws IllegalArgumentException when one is below 0 */
    public HostCosts {
        if (postNs < 0 || fetchNs < 0 || fetchBusyNs < 0 || completeNs < 0 || completeBusyNs < 0 || jitterNs < 0) {
            throw new IllegalArgumentException("a cost below 0: postNs=" + postNs + " fetchNs=" + fetchNs
                    + " fetchBusyNs=" + fetchBusyNs + " completeNs=" + completeNs + " completeBusyNs="
                    + completeBusyNs + " jitterNs=" + jitterNs);
        }
    }
}
