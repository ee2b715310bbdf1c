package org.jvrpc.softrnic.rc;

import java.nio.ByteBuffer;
import java.util.function.IntUnaryOperator;
import org.jvrpc.softrnic.memory.AddressSpace;
import org.jvrpc.softrnic.memory.SharedKeys;
import org.jvrpc.softrnic.memory.Slab;
import org.jvrpc.softrnic.queue.SharedReceives;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.WcStatus;

/** The peer's QP when it takes its receives from an SRQ. One thread, the initiator's. */
public final class SharedResponder extends Responder {

    private static final int NONE = -1;

    private final SharedReceives receives;
    private final SharedKeys receiveKeys;
    private final int qpn;
    private int index = NONE;

    SharedResponder(AddressSpace arena, long address, Runnable wake, boolean lazy, IntUnaryOperator keyOf, long srq) {
        super(arena, address, wake, lazy, keyOf);
        this.receives = new SharedReceives(arena, srq);
        this.receiveKeys = new SharedKeys(arena, receives.pd());
        this.qpn = qpn();
    }

    @Override
    ByteBuffer memory() {
        return receives.memory();
    }

    @Override
    int stride() {
        return receives.dataBytes();
    }

    @Override
    SharedKeys receiveKeys() {
        return receiveKeys;
    }

    /** Takes a receive, and keeps it until it is consumed or given up. */
    @Override
    int peekReceive() {
        if (index == NONE) {
            index = receives.take(qpn);
        }
        return index == NONE ? -1 : receives.data(index);
    }

    @Override
    boolean hasOwnReceives() {
        return false;
    }

    /** Also puts the number of the SRQ into the CQE that was claimed last. */
    @Override
    int consume() {
        completions().stamp(receives.number());
        return take();
    }

    private int take() {
        int taken = index;
        index = NONE;
        return taken;
    }

    @Override
    Slab receiveRegion(int key, long address, long bytes) {
        return receiveKeys.find(key, address, bytes, Access.LOCAL_WRITE);
    }

    @Override
    void failReceive(WcStatus status, int vendorError) {
        failReceive(take(), status, vendorError, receives.number());
    }

    @Override
    void fail() {
        giveUp();
        super.fail();
    }

    @Override
    public void giveUp() {
        if (index != NONE) {
            receives.giveUp(take());
            completions().attention();
        }
    }
}
