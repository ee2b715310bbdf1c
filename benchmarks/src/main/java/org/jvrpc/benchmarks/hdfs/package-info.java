/**
 * HDFS's client protocol over the plugin of the samples and over Hadoop's own transport: an embedded NameNode with one
 * DataNode, the stock DFS client in a process of its own. Owns what is called and checked. Must never know how calls
 * travel: a contender's configuration says it. Threads: as {@link org.jvrpc.benchmarks.harness} says.
 */
package org.jvrpc.benchmarks.hdfs;
