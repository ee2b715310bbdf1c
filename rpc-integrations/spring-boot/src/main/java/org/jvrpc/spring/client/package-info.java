/**
 * The clients of a context ({@code ClientRegistry}), which connect at their first call ({@code LazyClient},
 * {@code LazyChannel}). Any thread.
 */
package org.jvrpc.spring.client;
