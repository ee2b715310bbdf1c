package org.jvrpc.fabric.replay;

import java.nio.ByteBuffer;
import org.jvrpc.roce.rc.SendQueue;
import org.jvrpc.roce.rc.SendWork;
import org.jvrpc.verbs.WcStatus;

/** A send queue whose WRs have no bytes: what a capture has is not compared. By itself it has no WRs. */
class NoData implements SendQueue {

    @Override
    public boolean fetch(SendWork work) {
        return false;
    }

    @Override
    public WcStatus gather(SendWork work, long from, ByteBuffer into, int at, int length) {
        return WcStatus.SUCCESS;
    }

    @Override
    public WcStatus scatter(SendWork work, long from, ByteBuffer of, int at, int length) {
        return WcStatus.SUCCESS;
    }

    @Override
    public WcStatus store(SendWork work, long found) {
        return WcStatus.SUCCESS;
    }

    @Override
    public void complete(SendWork work, WcStatus status) {
    }

    @Override
    public void failed() {
    }
}
