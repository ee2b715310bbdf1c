/**
 * Differential conformance: the same requests under the same faults of packets, once between two devices of rxe and
 * once with a software RNIC over UDP at either end. Owns the wire between them, whose frames it passes on itself, and
 * the list of what may differ and why ({@code differences.txt}); must not know how either side works.
 */
package org.jvrpc.ibverbs.differential;
