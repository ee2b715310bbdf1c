/** The plugin over networks: what holds of each, and what does of one. Knows the plugin by its properties alone. */
package org.jvrpc.hdfs.network;
