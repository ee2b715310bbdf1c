package org.jvrpc.runtime.session;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** A link that can fetch and nothing else, but for what a test adds. */
public class ReadingLink extends Link {

    final List<Integer> lengths = new ArrayList<>();
    boolean holds;

    public ReadingLink() {
        super(64);
    }

    private static AssertionError unused() {
        return new AssertionError("fetches need nothing of this");
    }

    @Override
    public ByteBuffer body(int slot) {
        throw unused();
    }

    @Override
    public int describe(int slot, Body body) {
        throw unused();
    }

    @Override
    public boolean send(int slot, long first, long second, int bodyLength) {
        throw unused();
    }

    @Override
    public long sendOneWay(int slot, long first, long second, int bodyLength) {
        throw unused();
    }

    @Override
    public boolean sendControl(long first, long second) {
        throw unused();
    }

    @Override
    public boolean hasControl() {
        throw unused();
    }

    @Override
    public boolean isSent(long number) {
        return !holds;
    }

    @Override
    public void reap() {
        // looked for by isSent
    }

    @Override
    public boolean hasLeft() {
        return true;
    }

    @Override
    public boolean isBehind() {
        throw unused();
    }

    @Override
    public void catchUp() {
        throw unused();
    }

    @Override
    public void wakePeer() {
        throw unused();
    }

    @Override
    public boolean poll() {
        throw unused();
    }

    @Override
    public boolean hasMore() {
        throw unused();
    }

    @Override
    public long beginFetch(Body into, int offset, int length, long source, int key) {
        lengths.add(length);
        return lengths.size();
    }

    @Override
    public long fetchLimitNs(int length) {
        return Long.MAX_VALUE;
    }

    @Override
    public void arm() {
        throw unused();
    }

    @Override
    public void disarm() {
        throw unused();
    }

    @Override
    public void keepAlive(long idleNs) {
        throw unused();
    }

    @Override
    public void checkPeer(long nowNs) {
        throw unused();
    }

    @Override
    public boolean isConnected() {
        throw unused();
    }

    @Override
    public InetAddress peerHost() {
        throw unused();
    }

    @Override
    public void breakOff() {
        throw unused();
    }

    @Override
    public void disconnect() {
        throw unused();
    }

    @Override
    public void close() {
        throw unused();
    }
}
