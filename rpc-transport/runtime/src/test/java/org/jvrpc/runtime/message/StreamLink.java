package org.jvrpc.runtime.message;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Pipe;
import org.jvrpc.runtime.session.BareLink;
import org.jvrpc.runtime.session.RpcHeader;

/**
 * A link over two byte streams, without long bodies: proof that a session needs nothing of verbs. A message is
 * {@code length:32 | header | body}.
 */
final class StreamLink extends BareLink {

    private static final int QUEUED_BYTES = 1 << 20;

    private final Pipe.SourceChannel in;
    private final Pipe.SinkChannel out;
    private final ByteBuffer received;
    private final ByteBuffer queued = ByteBuffer.allocate(QUEUED_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private long posted;
    private long completed;
    private int taken;
    private boolean connected = true;

    StreamLink(Pipe in, Pipe out, int slots, int slotBytes) throws IOException {
        super(slots, slotBytes);
        this.in = in.source();
        this.out = out.sink();
        this.in.configureBlocking(false);
        this.out.configureBlocking(false);
        this.received = ByteBuffer.allocate(4 + RpcHeader.BYTES + slotBytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    @Override
    public boolean send(int slot, long first, long second, int bodyLength) {
        queued.putInt(RpcHeader.BYTES + bodyLength).putLong(first).putLong(second)
                .put(body(slot).slice(0, bodyLength));
        posted++;
        catchUp();
        return failure() == null;
    }

    @Override
    public long sendOneWay(int slot, long first, long second, int bodyLength) {
        return send(slot, first, second, bodyLength) ? posted : -1;
    }

    @Override
    public boolean sendControl(long first, long second) {
        return send(0, first, second, 0);
    }

    @Override
    public boolean hasControl() {
        return true; // the bytes are copied
    }

    @Override
    public boolean isSent(long number) {
        return completed >= number;
    }

    @Override
    public void reap() {
        catchUp();
    }

    @Override
    public boolean hasLeft() {
        return true;
    }

    @Override
    public boolean isBehind() {
        return queued.position() > 0;
    }

    @Override
    public void catchUp() {
        try {
            queued.flip();
            while (queued.hasRemaining() && out.write(queued) > 0) {
                // more may fit
            }
            queued.compact();
            completed = isBehind() ? completed : posted;
        } catch (IOException e) {
            queued.clear();
            connected = false;
        }
    }

    @Override
    public void wakePeer() {
        catchUp();
    }

    @Override
    public boolean poll() {
        catchUp();
        if (taken > 0) {
            received.flip().position(taken);
            received.compact();
            taken = 0;
        }
        try {
            while (received.position() < needed()) {
                received.limit(needed());
                int count = in.read(received);
                received.limit(received.capacity());
                if (count <= 0) {
                    connected &= count == 0;
                    return false;
                }
            }
        } catch (IOException e) {
            connected = false;
            return false;
        }
        taken = needed();
        payload(received, 4, taken - 4);
        return true;
    }

    /** Returns how many bytes the next message has, as far as is known. */
    private int needed() {
        return received.position() < 4 ? 4 : 4 + received.getInt(0);
    }

    @Override
    public boolean isConnected() {
        return connected;
    }

    @Override
    public void breakOff() {
        disconnect();
    }

    @Override
    public void disconnect() {
        try {
            in.close();
            out.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
