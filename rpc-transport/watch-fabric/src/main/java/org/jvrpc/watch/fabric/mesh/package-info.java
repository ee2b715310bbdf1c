/**
 * Pingmesh at work in the simulated fabric: hosts that probe each other, failures that are planted, and what is said of
 * them by who has seen reports and paths alone; and the datagrams by which real agents probe there. It knows the
 * fabric's hosts and the vocabulary. Time is the fabric's, in ns; a run depends on its seed alone. One thread, that of
 * the simulation.
 */
package org.jvrpc.watch.fabric.mesh;
