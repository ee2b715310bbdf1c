/**
 * The port between processes of one host: connection management over Unix-domain sockets, event channels, and
 * {@link org.jvrpc.softrnic.shm.ShmPort}, which joins a QP with its peer in mapped memory. Must never know the objects
 * that users have: it sees a QP as {@link org.jvrpc.softrnic.queue.PortQueuePair}.
 *
 * <p>Any thread, where a type says nothing else; an event channel has one that waits. One thread of its own, while
 * channels have nobody who waits ({@link org.jvrpc.softrnic.shm.SharedSelector}); the clock is handed in. Internal:
 * what is public here is for the other packages of the software RNIC alone.
 */
package org.jvrpc.softrnic.shm;
