/**
 * The servers of a context: which beans are served ({@code ServiceBeans}), how servers start and drain with the context
 * ({@code ServerLifecycle}). Lifecycle calls come from Spring's threads, one at a time.
 */
package org.jvrpc.spring.server;
