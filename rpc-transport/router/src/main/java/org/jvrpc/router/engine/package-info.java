/**
 * What executes tenants' queues. One thread, the {@link org.jvrpc.router.engine.Worker}'s, owns the contexts, key
 * tables and responders of all devices; others hand it jobs. Rings and data lie in the tenants' memory, all else in
 * memory that no tenant can name. What a tenant can write is read once, copied, checked, and then used.
 *
 * <p>Must never know sockets, frames, files, tokens or the control plane. Nothing here waits for a tenant: a copy goes
 * on in pieces, a receiver that is not ready is looked at again later. Times are nanoseconds of {@code nanoTime}.
 */
package org.jvrpc.router.engine;
