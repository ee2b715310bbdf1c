/**
 * A process that outlives its application: the hull owns the memory, the queues and the keys of lookups, and starts the
 * application as its child. The application attaches to the memory; when it dies, programs go on answering from it, and
 * the next one finds it as it was left. The hull does nothing else, so that nothing in it can fail: it reads no data of
 * users and answers no calls. {@link org.jvrpc.offload.hull.Hull} is the command,
 * {@link org.jvrpc.offload.hull.HullClient} the application's side. Knows lookups and verbs; knows no RPC. Lengths are
 * bytes, times nanoseconds but where a name says otherwise.
 */
package org.jvrpc.offload.hull;
