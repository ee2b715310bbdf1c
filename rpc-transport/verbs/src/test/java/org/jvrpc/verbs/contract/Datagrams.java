package org.jvrpc.verbs.contract;

import org.jvrpc.verbs.AddressHandle;
import org.jvrpc.verbs.Destination;
import org.jvrpc.verbs.QueuePair;

/** Makes QPs that send datagrams, and what they need to find each other. */
final class Datagrams {

    static final int HEADER = QueuePair.DATAGRAM_HEADER_BYTES;
    static final int QKEY = 0x11223344;

    private Datagrams() {
    }

    static Setup setup() {
        return Setup.usual().datagram(QKEY);
    }

    /** Makes a UD QP in RTS. */
    static End ready(Side side, Setup setup) {
        End end = side.end(setup);
        end.qp.init();
        end.qp.ready();
        return end;
    }

    static End ready(Side side) {
        return ready(side, setup());
    }

    /** Makes a handle by which one side reaches another's device. */
    static AddressHandle handle(End from, End to) {
        return from.side.rig.keep(from.side.pd.createAh(to.qp.endpoint()));
    }

    static Destination destination(End from, End to) {
        return new Destination(handle(from, to), to.qp.number(), QKEY);
    }
}
