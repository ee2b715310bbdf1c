/**
 * A network in one process, for experiments and tests: hosts with NICs, links, switches, by simulated time and seeds.
 * Equal seeds give equal bytes. {@code event} has time and chance; {@code network} frames, links, switches, pauses;
 * {@code host} NICs and QPs, which run the classes of {@code org.jvrpc.roce.rc} as they are; {@code topology} usual
 * networks; {@code experiment} those of SIGCOMM 2016, of which {@code EXPERIMENTS.md} tells; {@code search} looks for
 * schedules of faults that break promises; {@code trace} writes frames for others.
 *
 * <p>Has no clock, thread, socket or random source of its own. Never on a run-time class path.
 */
package org.jvrpc.fabric;
