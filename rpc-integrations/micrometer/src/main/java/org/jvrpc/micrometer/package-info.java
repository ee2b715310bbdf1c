/**
 * What clients and servers of this process count, as meters of Micrometer by the semantic conventions' names: bind
 * {@link org.jvrpc.micrometer.JvrpcMetrics} to a registry.
 *
 * <p>It owns how counters become meters; it must never know calls: these count in memory, which a thread of this
 * package reads from time to time. Registries read what it read last. What they throw is logged.
 */
package org.jvrpc.micrometer;
