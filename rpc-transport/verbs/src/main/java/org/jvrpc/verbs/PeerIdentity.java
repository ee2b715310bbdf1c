package org.jvrpc.verbs;

/**
 * The process at the other end of a connection on one host.
 *
 * @param user name of its user, or the number as text where that has no name: the kernel's word
 * @param group name of its group, as {@code user}
 * @param pid number of the process by its own word, or -1 where it says nothing
 */
public record PeerIdentity(String user, String group, long pid) { }
