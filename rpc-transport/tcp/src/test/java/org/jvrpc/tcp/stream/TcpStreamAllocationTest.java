package org.jvrpc.tcp.stream;

import org.jvrpc.runtime.contract.stream.StreamAllocationContract;
import org.jvrpc.tcp.TcpUnderTest;

class TcpStreamAllocationTest extends StreamAllocationContract implements TcpUnderTest {

    /** Where others run in between, what one read brings ends anywhere, and what follows begins there. */
    @Override
    protected int mostOnABusyMachine() {
        return 3 * 64; // a slice and its read-only view at the receiver, a duplicate at the sender
    }
}
