/**
 * ZooKeeper's stock client against its stock server, both unmodified, over jvRPC's plugin and over ZooKeeper's own
 * transports. Everything but the transport is the same for all.
 */
package org.jvrpc.benchmarks.zookeeper;
