/**
 * The one class of the plugin that must lie in Hadoop's own package: what a call of Hadoop's server is made of (number,
 * client, answer) is visible only there. It must be loaded by the class loader of hadoop-common. It must never know how
 * calls travel. Threads: see {@link org.apache.hadoop.ipc.JvrpcCall}.
 */
package org.apache.hadoop.ipc;
