/**
 * Unreliable datagrams: the engine of a UD QP, the routes of address handles, and the seam to where messages leave. The
 * outlet here is for mapped memory: it has the table where senders find QPs by number, and a QP as its senders see it,
 * who claim it for one message each. Must never know connections, RC, and how a device's memory was mapped.
 *
 * <p>Nothing waits: what cannot be delivered is dropped and counted. Engines and targets have one thread, the rest any.
 * Internal: what is public here is for the other packages of the software RNIC alone.
 */
package org.jvrpc.softrnic.datagram;
