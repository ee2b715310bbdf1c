/**
 * {@code rperf} in the simulated fabric: its engine, with ports whose QPs are those of simulated NICs, and the truth
 * that its figures are held against. It knows the fabric and the engine. One thread; time is simulated.
 */
package org.jvrpc.watch.fabric.rperf;
