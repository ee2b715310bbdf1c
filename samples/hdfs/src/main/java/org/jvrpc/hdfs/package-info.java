/**
 * Transport plugin for an unmodified Apache Hadoop: the calls of HDFS clients to a NameNode go over jvRPC. Owns how a
 * call of Hadoop's RPC becomes a call of {@link org.jvrpc.hdfs.NameNodeCalls} and back, who the caller is, and which
 * methods the poller answers. Must never know how bytes travel ({@code shm://}, {@code rdma://} or {@code roce://} is
 * the address's business), nor what the methods of HDFS do.
 *
 * <p>Client, from the proxy to the wire: {@link org.jvrpc.hdfs.NameNodeInvoker} (Hadoop's proxies),
 * {@link org.jvrpc.hdfs.NameNodeCaller} (user, retries, exceptions), {@link org.jvrpc.hdfs.NameNodeRoutes} (which
 * way), {@link org.jvrpc.hdfs.NameNodeLink} (one address), {@link org.jvrpc.hdfs.ServerConnection}. Server:
 * {@link org.jvrpc.hdfs.NameNodeServer}, for each address a {@link org.jvrpc.hdfs.NameNodeHandler} with its
 * {@link org.jvrpc.hdfs.Logins}, before it the {@link org.jvrpc.hdfs.Gatekeeper} (who may log in), behind it the
 * {@link org.jvrpc.hdfs.QueueDoor} (into the call queue) and {@link org.apache.hadoop.ipc.JvrpcCall}.
 *
 * <p>The package is not called {@code org.jvrpc.samples.hdfs}, as its place would have it: operators name the engine's
 * class in their configuration.
 *
 * <p>Threads: all classes may be used by many threads, where they do not say otherwise. Units: milliseconds where
 * Hadoop has them, nanoseconds else; the names say so.
 */
package org.jvrpc.hdfs;
