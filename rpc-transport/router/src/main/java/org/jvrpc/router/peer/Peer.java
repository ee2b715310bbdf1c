package org.jvrpc.router.peer;

/**
 * The router at the other end of a link.
 *
 * @param host its name in the control plane
 * @param incarnation as it says itself, and the control plane does
 * @param data address of its device below, by the control plane
 * @param dials this router made the link, and makes what else there is between both
 */
public record Peer(String host, long incarnation, String data, boolean dials) { }
