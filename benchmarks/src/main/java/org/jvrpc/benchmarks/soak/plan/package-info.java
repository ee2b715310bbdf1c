/**
 * What a campaign is before it runs: its processes, and which fault befalls whom when. Owns the seed's way to a plan;
 * must never know how a process is started, what it calls, or how calls are judged. All is immutable; times of faults
 * are in milliseconds from the start of their round.
 */
package org.jvrpc.benchmarks.soak.plan;
