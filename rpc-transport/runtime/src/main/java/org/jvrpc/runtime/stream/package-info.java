/**
 * One side of a session of streams, whatever carries it: frames of many streams over one link, each stream within its
 * own window, so that a slow one holds up no other. Owns what is sent and received of a stream, as bytes and as
 * elements. Must never know who opens streams or handles them. Internal: public for the module's other rooms.
 *
 * <p>A session's link is polled by whoever has its turn: the thread that polls for all, or one that waits for a stream
 * of its own. Sending is for any thread, under the session's monitor, behind that of the stream. Lengths are in bytes.
 */
package org.jvrpc.runtime.stream;
