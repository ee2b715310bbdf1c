/**
 * Runs ZooKeeper's own tests over the plugin: chooses the classes of ZooKeeper's tests jar that it concerns, runs each
 * in a JVM of its own and writes the table. Knows nothing of the plugin but the properties that switch it on.
 */
package org.jvrpc.samples.zookeeper.own;
