/**
 * Campaigns: real processes that call each other while they are killed, stopped, drained, closed and starved of
 * shared memory, and an account of every call. Owns the driver: it starts the processes, brings faults about and heals
 * them, waits for rest, and shrinks what failed; must never know what a process does with a command, nor how a session
 * works.
 *
 * <p>A campaign is a row of rounds. Each is some seconds of load with faults, then rest: all faults are healed, all
 * calls end, the journal is audited, and what the processes hold is sampled. The driver is used by one thread.
 *
 * <p>Four packages: this one knows the others, {@code role} knows {@code plan} and {@code audit}, which know neither
 * each other nor the rest.
 */
package org.jvrpc.benchmarks.soak;
