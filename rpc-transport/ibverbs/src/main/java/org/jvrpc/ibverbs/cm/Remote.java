package org.jvrpc.ibverbs.cm;

import java.net.InetAddress;

/**
 * Where somebody listens, and from where to go there.
 *
 * @param text the address as the user wrote it, for messages
 * @param host of the listener
 * @param port of the listener
 * @param source local address, or null for the kernel's choice
 */
public record Remote(String text, InetAddress host, int port, InetAddress source) {
}
