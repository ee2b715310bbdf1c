package org.jvrpc.router.command;

/** A QP of a device that is attached. */
record End(ControlSession session, int qp) { }
