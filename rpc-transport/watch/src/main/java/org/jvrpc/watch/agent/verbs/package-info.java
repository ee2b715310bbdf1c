/**
 * Probes as datagrams of UD QPs, on any device that has them. What makes two flows depends on the device, see {@link
 * org.jvrpc.watch.agent.verbs.VerbsProbes}. It knows nothing of what a probe says. One thread.
 */
package org.jvrpc.watch.agent.verbs;
