/**
 * The plugin over networks: what holds of each, and what does of one. Knows the plugin's addresses, and no more of how
 * bytes travel.
 */
package org.jvrpc.samples.zookeeper.network;
