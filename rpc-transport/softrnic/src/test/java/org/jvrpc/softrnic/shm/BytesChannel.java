package org.jvrpc.softrnic.shm;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.Set;

/** A channel from which bytes come in pieces, each followed by a read that finds nothing, then the end. */
final class BytesChannel extends SocketChannel {

    private final byte[] bytes;
    private final int pieceBytes;
    private int taken;
    private int left;

    BytesChannel(byte[] bytes, int pieceBytes) {
        super(SelectorProvider.provider());
        this.bytes = bytes;
        this.pieceBytes = pieceBytes;
        this.left = pieceBytes;
    }

    /** Returns how many bytes were read. */
    int taken() {
        return taken;
    }

    @Override
    public int read(ByteBuffer target) {
        if (taken == bytes.length) {
            return -1;
        }
        if (left == 0) {
            left = pieceBytes;
            return 0;
        }
        int some = Math.min(Math.min(left, target.remaining()), bytes.length - taken);
        target.put(bytes, taken, some);
        taken += some;
        left -= some;
        return some;
    }

    private static UnsupportedOperationException unused() {
        return new UnsupportedOperationException("it is only read");
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) {
        throw unused();
    }

    @Override
    public int write(ByteBuffer source) {
        throw unused();
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) {
        throw unused();
    }

    @Override
    public SocketChannel bind(SocketAddress local) {
        throw unused();
    }

    @Override
    public <T> SocketChannel setOption(SocketOption<T> name, T value) {
        throw unused();
    }

    @Override
    public <T> T getOption(SocketOption<T> name) {
        throw unused();
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        throw unused();
    }

    @Override
    public SocketChannel shutdownInput() {
        throw unused();
    }

    @Override
    public SocketChannel shutdownOutput() {
        throw unused();
    }

    @Override
    public Socket socket() {
        throw unused();
    }

    @Override
    public boolean isConnected() {
        return true;
    }

    @Override
    public boolean isConnectionPending() {
        return false;
    }

    @Override
    public boolean connect(SocketAddress remote) {
        throw unused();
    }

    @Override
    public boolean finishConnect() {
        throw unused();
    }

    @Override
    public SocketAddress getRemoteAddress() {
        throw unused();
    }

    @Override
    public SocketAddress getLocalAddress() {
        throw unused();
    }

    @Override
    protected void implCloseSelectableChannel() throws IOException {
        taken = bytes.length;
    }

    @Override
    protected void implConfigureBlocking(boolean block) {
        throw unused();
    }
}
