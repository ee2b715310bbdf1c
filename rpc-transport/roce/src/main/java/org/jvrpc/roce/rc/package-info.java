/**
 * The reliable connected service of one QP: {@code Requester} sends what the send queue holds and takes responses,
 * {@code Responder} takes requests and answers them, {@code RcTransport} is both. Equal calls give equal packets: time
 * is handed in, memory, queues and packets are reached by interfaces. Nothing allocates once a QP is made. One thread
 * at a time.
 *
 * <p>Lengths are in bytes, times in nanoseconds of a monotonic clock, PSNs have 24 bits (see
 * {@link org.jvrpc.roce.wire.Psn}). Source: IBA volume 1, chapter 9.7; what it leaves open is done as rxe does it.
 */
package org.jvrpc.roce.rc;
