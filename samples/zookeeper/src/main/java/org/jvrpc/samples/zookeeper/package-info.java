/**
 * What the two halves of the ZooKeeper plugin share, and its demo. The halves themselves lie in ZooKeeper's own
 * packages, because the classes that they extend are not public: {@code org.apache.zookeeper} for the client,
 * {@code org.apache.zookeeper.server} for the server. Neither knows anything of jvRPC but its message sessions.
 * Static methods are for any thread.
 */
package org.jvrpc.samples.zookeeper;
