/**
 * Reports of agents, and what a collector makes of them: figures of pairs, racks and hosts in fixed memory, alerts, and
 * answers for the page and Prometheus. Who is to blame is said by {@link org.jvrpc.watch.blame}. It knows no socket and
 * no thread; time comes by {@link org.jvrpc.watch.Clock}.
 */
package org.jvrpc.watch.collect;
