/**
 * Moves what tenants' QPs send between this host's router and others. A pair of routers has some RC QPs on the device
 * below, its lanes, which all connections between both share. What comes by a lane is another router's word: lengths,
 * numbers and epochs are looked at before anything is used. Must never know tenants, control sockets or the control
 * plane. The worker's thread, but for {@link org.jvrpc.router.lane.LaneMaker}, which waits for the network.
 */
package org.jvrpc.router.lane;
