/**
 * The WRs of programs, which {@code Wr} makes, and the places that they read or change: memory, a peer's memory, fields
 * of other WRs. Knows {@code queue} alone; must not know who orders WRs, nor what they are for. Offsets and lengths are
 * bytes. One thread.
 */
package org.jvrpc.offload.wr;
