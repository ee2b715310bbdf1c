/**
 * What is served over HTTP: the live page, what it fetches, the text for Prometheus, and the intake of reports. Knows
 * the vocabulary alone: a collector answers by {@link org.jvrpc.watch.web.PageData}, counters by
 * {@link org.jvrpc.watch.MetricsSource}. The JDK's server parses; its threads are a fixed pool, and whoever comes when
 * all are busy and the queue is full is told so. Bodies are shared by all who ask. Times are in ns.
 */
package org.jvrpc.watch.web;
