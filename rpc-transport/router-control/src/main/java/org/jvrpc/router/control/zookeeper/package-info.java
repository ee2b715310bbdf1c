/**
 * What routers have to know, in an ensemble of ZooKeeper. Alone knows ZooKeeper; nothing here knows a tenant's memory
 * or socket. A view has one thread of its own beside the two of ZooKeeper's client. Times are nanoseconds of
 * {@code System.nanoTime} where a name ends in Ns, milliseconds where it ends in Ms.
 */
package org.jvrpc.router.control.zookeeper;
