/**
 * Pairs over verbs devices: the prober's side ({@link org.jvrpc.watch.rperf.verbs.VerbsPairs}) and the peer's
 * ({@link org.jvrpc.watch.rperf.verbs.PairSink}). It knows nothing of what is measured. One thread each.
 */
package org.jvrpc.watch.rperf.verbs;
