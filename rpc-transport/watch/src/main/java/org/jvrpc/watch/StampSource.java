package org.jvrpc.watch;

/** Who tells when a packet left or came. */
public enum StampSource { NIC, SOFTWARE }
