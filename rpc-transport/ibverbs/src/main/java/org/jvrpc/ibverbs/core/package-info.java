/**
 * What all drivers of real devices share: the opened device, protection domains, registered memory, the states of QPs,
 * completion channels. Owns the control path; must never know the rings of a particular device, nor connection
 * management.
 *
 * <p>Threads as in {@link org.jvrpc.verbs}. Lengths are bytes, addresses are the process's own.
 */
package org.jvrpc.ibverbs.core;
