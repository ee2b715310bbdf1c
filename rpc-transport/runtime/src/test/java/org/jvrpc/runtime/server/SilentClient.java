package org.jvrpc.runtime.server;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jvrpc.runtime.session.ReadingLink;
import org.jvrpc.runtime.session.RpcHeader;

/** A link to a client by which nothing comes. */
final class SilentClient extends ReadingLink {

    private final ByteBuffer memory = ByteBuffer.allocateDirect(64);
    final List<Integer> controls = new ArrayList<>();
    int polls;
    int arms;
    int looks;
    boolean connected = true;
    RuntimeException fault;
    RuntimeException armFault;
    RuntimeException breakFault;
    RuntimeException leftFault;
    boolean left = true;
    boolean full;
    long fetchLimitNs;

    @Override
    public ByteBuffer body(int slot) {
        return memory;
    }

    @Override
    public boolean poll() {
        polls++;
        if (fault != null) {
            throw fault;
        }
        return false;
    }

    @Override
    public boolean isBehind() {
        return false;
    }

    @Override
    public boolean hasControl() {
        return !full;
    }

    @Override
    public boolean hasLeft() {
        if (leftFault != null) {
            throw leftFault;
        }
        return left;
    }

    @Override
    public long fetchLimitNs(int length) {
        return fetchLimitNs;
    }

    @Override
    public boolean sendControl(long first, long second) {
        return controls.add(RpcHeader.kind(first));
    }

    @Override
    public void arm() {
        arms++;
        if (armFault != null) {
            throw armFault;
        }
    }

    @Override
    public void disarm() {
        arms--;
        if (armFault != null) {
            throw armFault;
        }
    }

    @Override
    public void checkPeer(long nowNs) {
        looks++;
    }

    @Override
    public boolean isConnected() {
        return connected;
    }

    @Override
    public void breakOff() {
        connected = false;
        if (breakFault != null) {
            throw breakFault;
        }
    }

    @Override
    public void disconnect() {
        connected = false;
    }

    @Override
    public void close() {
        // nothing is left
    }
}
