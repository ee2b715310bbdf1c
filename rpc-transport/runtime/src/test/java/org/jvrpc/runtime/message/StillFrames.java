package org.jvrpc.runtime.message;

import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jvrpc.api.RpcException;
import org.jvrpc.runtime.MessageHandler;
import org.jvrpc.runtime.MessageSession;
import org.jvrpc.runtime.session.Bodies;
import org.jvrpc.runtime.session.Hello;
import org.jvrpc.runtime.session.Protocol;

/** A message session in a time of the test's own, whose peer is the test, and its handler. One thread. */
final class StillFrames implements MessageHandler {

    static final int WINDOW = 4;
    static final int PIECE_BYTES = 8;
    static final int MAX_FRAME = 1024;
    static final long ID = 77;

    final FramePeer peer = new FramePeer(WINDOW, PIECE_BYTES);
    final FrameSession session;
    long nowNs = Long.MAX_VALUE - 1_000_000_000L; // clocks may overflow
    /** How often a poll was asked for. */
    int interests;
    boolean freed;
    private final List<String> told = new ArrayList<>();
    /** What the handler does besides noting it, in the place of what is noted. */
    Consumer<String> does = what -> { };

    StillFrames() {
        this(QueueBudget.UNLIMITED);
    }

    StillFrames(QueueBudget budget) {
        this(budget, MAX_FRAME);
    }

    /** @param peerMaxFrame the longest frame that the peer takes */
    StillFrames(QueueBudget budget, long peerMaxFrame) {
        Bodies memory = (Bodies) Proxy.newProxyInstance(StillFrames.class.getClassLoader(), new Class<?>[] {
            Bodies.class}, (proxy, method, arguments) -> {
                freed |= method.getName().equals("close");
                return null;
            });
        session = new FrameSession(() -> nowNs, peer, memory,
                Hello.request(Protocol.MESSAGES, WINDOW, PIECE_BYTES, peerMaxFrame), MAX_FRAME, this, budget, ID,
                () -> interests++);
        peer.session = session;
    }

    static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
    }

    boolean send(String text) {
        return session.send(bytes(text));
    }

    /** Sends a frame of so many bytes. */
    boolean send(int length) {
        return send("x".repeat(length));
    }

    int poll() {
        return session.poll(100);
    }

    /** Returns what the handler was told since this was asked last. */
    List<String> told() {
        List<String> all = List.copyOf(told);
        told.clear();
        return all;
    }

    private void tell(String what) {
        told.add(what);
        does.accept(what);
    }

    @Override
    public void opened(MessageSession opened) {
        tell("opened");
    }

    @Override
    public void frame(MessageSession from, ByteBuffer frame) {
        tell("frame " + StandardCharsets.US_ASCII.decode(frame));
    }

    @Override
    public void drained(MessageSession of) {
        tell("drained");
    }

    @Override
    public void closed(MessageSession ended, Throwable cause) {
        String status = cause instanceof RpcException e ? e.status() + " " : "";
        tell(cause == null ? "closed" : "closed: " + status + cause.getMessage());
    }
}
