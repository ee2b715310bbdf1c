/**
 * Faults between two RoCE peers, by a seed, and what the same seed has them say to each other: so that two makes of
 * peers may be compared.
 */
package org.jvrpc.softrnic.proxy;
