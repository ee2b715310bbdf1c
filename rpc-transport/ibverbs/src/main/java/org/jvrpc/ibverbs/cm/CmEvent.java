package org.jvrpc.ibverbs.cm;

import org.jvrpc.ibverbs.binding.CmLayouts;
import org.jvrpc.ibverbs.binding.Native;

/**
 * An event of rdma_cm, copied so that it can be acknowledged at once. Source: rdma_get_cm_event(3), rdma_cma.h.
 *
 * @param type one of the constants
 * @param status an {@code errno}, negative, or why a connection was rejected
 * @param id the address of the id that it is about
 * @param privateData what the peer sent along
 */
record CmEvent(int type, int status, long id, byte[] privateData) {

    static final int ADDR_RESOLVED = 0;
    static final int ADDR_ERROR = 1;
    static final int ROUTE_RESOLVED = 2;
    static final int ROUTE_ERROR = 3;
    static final int CONNECT_REQUEST = 4;
    static final int CONNECT_RESPONSE = 5;
    static final int CONNECT_ERROR = 6;
    static final int UNREACHABLE = 7;
    static final int REJECTED = 8;
    static final int ESTABLISHED = 9;
    static final int DISCONNECTED = 10;
    static final int DEVICE_REMOVAL = 11;
    static final int ADDR_CHANGE = 14;
    static final int TIMEWAIT_EXIT = 15;

    /** Copies what lies at an address. */
    static CmEvent at(long event) {
        int type = Native.intAt(event + CmLayouts.CmEvent.EVENT);
        byte[] data = {};
        if (type == CONNECT_REQUEST || type == CONNECT_RESPONSE || type == REJECTED || type == ESTABLISHED) {
            long from = Native.pointerAt(event + CmLayouts.CmEvent.PRIVATE_DATA);
            int length = Native.intAt(event + CmLayouts.CmEvent.PRIVATE_DATA_LEN) & 0xff;
            if (from != 0 && length != 0) {
                data = new byte[length];
                Native.view(from, length).get(data);
            }
        }
        return new CmEvent(type, Native.intAt(event + CmLayouts.CmEvent.STATUS),
                Native.pointerAt(event + CmLayouts.CmEvent.ID), PrivateBytes.unwrap(data));
    }
}
