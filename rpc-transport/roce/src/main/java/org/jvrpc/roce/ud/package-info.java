/**
 * The unreliable datagram service of one QP: {@code UdRequester} writes packets, {@code UdResponder} takes those that
 * came and delivers them, or drops them and counts why. Nothing is acknowledged, and nothing is sent again. Receives
 * are reached by an interface. Nothing allocates once a QP is made. One thread at a time.
 *
 * <p>Must never know what carries packets, routes, and address handles. Lengths are in bytes. Source: IBA volume 1,
 * chapter 9.8.3; what it leaves open is done as rxe does it.
 */
package org.jvrpc.roce.ud;
