/**
 * Who is to blame: what lost and late probes have in common. It knows reports, agents and paths alone; no clock, thread
 * or random source. Whoever judges hosts goes first, then the paths are judged without the hosts that are sick.
 */
package org.jvrpc.watch.blame;
