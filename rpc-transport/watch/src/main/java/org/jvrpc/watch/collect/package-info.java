/**
 * Reports of agents, and what a collector makes of them.
 */
package org.jvrpc.watch.collect;
