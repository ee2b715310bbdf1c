package org.jvrpc.watch.report;

import java.util.List;
import org.jvrpc.watch.AgentInfo;
import org.jvrpc.watch.Reading;

/**
 * What an agent says of one window.
 *
 * @param window number of the window: the wall clock divided by its length
 * @param windowNs its length
 * @param clockJumps samples thrown away since a clock jumped
 * @param refusedForged probes with a wrong seal
 * @param refusedReplayed probes seen before
 * @param refusedVersion probes of other versions
 */
public record Report(AgentInfo from, long window, long windowNs, int clockJumps, int refusedForged,
        int refusedReplayed, int refusedVersion, List<Tally> tallies, List<Reading> counters) { }
