/**
 * What Java's peers of the C tools exchange with them over TCP, where the two ends are, and how the tools are run. Owns
 * the formats; must not know QPs but by their endpoints. One thread each; every wait is bounded.
 */
package org.jvrpc.ibverbs.interop.exchange;
