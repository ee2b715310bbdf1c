/**
 * What agents say to each other: the layout of a probe, its seal, and what was seen before. It knows no clock, thread,
 * socket or random source.
 */
package org.jvrpc.watch.probe;
