/**
 * Transport plugin for an unmodified Apache Hadoop: the calls of HDFS clients to a NameNode go over jvRPC. Owns how a
 * call of Hadoop's RPC becomes a call of {@link org.jvrpc.hdfs.NameNodeCalls} and back, who the caller is, and which
 * methods the poller answers. Must never know how bytes travel ({@code shm://} or {@code rdma://} is the address's
 * business), nor what the methods of HDFS do.
 *
 * <p>Client, from the proxy to the wire: {@link org.jvrpc.hdfs.NameNodeInvoker} (Hadoop's proxies),
 * {@link org.jvrpc.hdfs.NameNodeCaller} (user, retries, exceptions), {@link org.jvrpc.hdfs.NameNodeLink} (connection).
 * Server: {@link org.jvrpc.hdfs.NameNodeServer}, {@link org.jvrpc.hdfs.NameNodeHandler},
 * {@link org.apache.hadoop.ipc.JvrpcCall}.
 *
 * <p>Threads: all classes may be used by many threads, where they do not say otherwise. Units: milliseconds where
 * Hadoop has them, nanoseconds else; the names say so.
 */
package org.jvrpc.hdfs;
