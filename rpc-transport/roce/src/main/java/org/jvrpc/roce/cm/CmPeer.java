package org.jvrpc.roce.cm;

import org.jvrpc.roce.cm.message.Gid;

/**
 * Where messages come from and go to.
 *
 * @param gid the address in the IP header
 * @param port the UDP port that messages to it go to
 */
public record CmPeer(Gid gid, int port) {
}
