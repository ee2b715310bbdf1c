/**
 * The tools that measure and watch a fabric, in a simulated one, where the truth is known.
 */
package org.jvrpc.watch.fabric;
