/**
 * Rates of tenants, and whose turn it is: asked by who takes work from the rings, so that nothing goes round it. Knows
 * no clock, thread or other room; callers pass {@code nowNs}, of a monotonic clock. Nothing allocates but what adds a
 * tenant. One thread: the worker's. Amounts are bytes and WQEs.
 */
package org.jvrpc.router.share;
