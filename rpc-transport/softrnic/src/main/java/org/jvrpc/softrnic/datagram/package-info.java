/**
 * Unreliable datagrams over mapped memory: the engine of a UD QP, the table where senders find QPs by number, the
 * routes of address handles, and a QP as its senders see it, who claim it for one message each. Must never know
 * connections, RC, and how a device's memory was mapped.
 *
 * <p>Nothing waits: what cannot be delivered is dropped and counted. Engines and targets have one thread, the rest any.
 * Internal: what is public here is for the other packages of the software RNIC alone.
 */
package org.jvrpc.softrnic.datagram;
