/**
 * {@code run cluster}: three servers of orders that register with an ensemble of ZooKeeper, all on this host, and a
 * client that finds them there and loses no call while one is killed, one drained and one started.
 */
package org.jvrpc.samples.quickstart.cluster;
