package org.jvrpc.runtime.balance;

/**
 * One server of a client at one instant.
 *
 * @param id its id
 * @param address the one that it is connected by, or the nearest one that may be used, or the first
 * @param state how it stands
 * @param inFlight calls of this client that are in flight there
 * @param reason why it has no connection or gets no calls; empty when it does
 */
public record ServerStatus(String id, String address, ServerState state, int inFlight, String reason) {
}
