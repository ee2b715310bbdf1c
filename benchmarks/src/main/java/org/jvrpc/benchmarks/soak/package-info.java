/**
 * Campaigns: real processes that call each other while they are killed, stopped, drained, closed and starved of
 * shared memory, and an account of every call. Owns the plan of faults, the processes' roles, the journal in which
 * calls are accounted for, and the rules of what counts as a violation or a leak; must never know how a session works.
 *
 * <p>A campaign is a row of rounds. Each is some seconds of load with faults, then rest: all faults are healed, all
 * calls end, the journal is audited, and what the processes hold is sampled. The driver is used by one thread; times of
 * faults are in milliseconds from the start of their round.
 */
package org.jvrpc.benchmarks.soak;
