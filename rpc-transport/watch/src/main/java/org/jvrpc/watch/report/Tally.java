package org.jvrpc.watch.report;

/**
 * What became of the probes of one flow to one target in one window. Times are in nanoseconds, 0 when there is none.
 *
 * @param target id of the agent
 * @param flow as the prober numbers it
 * @param size class: 0: 64 B, 1: 512 B, 2: longer than 1 KB on the wire
 * @param lostForward lost on the way there, by what later answers say
 * @param lostUnknown no answer, and no word which way
 * @param late beyond the prober's own limit
 * @param errors completions in error, and patterns that were wrong
 * @param networkP50Ns time on the network alone
 * @param proberP99Ns what the prober's own host added
 */
public record Tally(int target, int flow, int size, int serviceLevel, int sent, int lostForward, int lostBack,
        int lostUnknown, int late, int errors, long networkP50Ns, long networkP99Ns, long proberP99Ns,
        long responderP99Ns) { }
