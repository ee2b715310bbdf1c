/**
 * The account of a campaign's calls and of what its processes hold. Owns the journal, which outlives whoever writes to
 * it, and the rules of what counts as a violation or a leak; must never know which faults happened, which processes
 * there are, or how they call.
 */
package org.jvrpc.benchmarks.soak.audit;
