package org.jvrpc.router;

/**
 * A connection of a QP of this host to one of another host.
 *
 * @param host of the other router
 * @param incarnation of the other router
 * @param own this router's number of it, which {@link RemotePath} calls the QP by: 1 to 65,535
 * @param peer the other router's number of it
 * @param epoch the same at both ends, and never used again by these two routers
 */
public record RemoteConnection(String host, long incarnation, int own, int peer, long epoch) { }
