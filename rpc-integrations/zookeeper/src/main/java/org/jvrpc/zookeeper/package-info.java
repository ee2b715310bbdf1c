/**
 * Discovery by ZooKeeper: clients find the servers of {@code zk://host1:2181,host2:2181/service}, and servers register
 * there. The layout is that of Curator's x-discovery. Users need nothing of this package but the targets.
 *
 * <p>It owns what stands in znodes and the connections to ensembles; it must never know calls, sessions or transports.
 * What a znode says is read once, checked, and only then used. Threads: each resolver and each registration has one of
 * its own, beside those of Curator and ZooKeeper, all of them daemons.
 */
package org.jvrpc.zookeeper;
