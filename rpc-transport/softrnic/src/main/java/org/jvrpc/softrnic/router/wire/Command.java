package org.jvrpc.softrnic.router.wire;

/** What a frame is about. It travels as a byte: the order is the wire's, and new ones go to the end. */
public enum Command {
    HELLO, WELCOME, DONE, REFUSED, SLAB, DROP_SLAB, REGISTER, DEREGISTER, CREATE_CQ, CREATE_SRQ, CREATE_QP, DESTROY,
    READY, ERROR, LISTEN, UNLISTEN, CONNECT, OFFER, ACCEPT, REJECT, CONNECTED, DISCONNECTED, RING, ARM, WAKE, CHAINS,
    COUNTERS, LEAVE, ROUTE
}
