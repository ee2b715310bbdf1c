/**
 * The demonstration of the plugin: a NameNode and a DataNode in one process, Hadoop's own client in two others, one
 * over jvRPC and one over Hadoop's transport. Owns processes and what is printed. Must never know the plugin but by its
 * properties, as a user's programs do not. One thread each.
 */
package org.jvrpc.hdfs.demo;
