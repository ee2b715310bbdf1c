package org.jvrpc.runtime.message;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jvrpc.runtime.session.MessageHeader;
import org.jvrpc.runtime.session.Protocol;
import org.jvrpc.runtime.session.ReadingLink;

/**
 * The link of a message session whose peer is the test: says what was sent, and has come what the test says. What lies
 * around a message is not the message's.
 */
final class FramePeer extends ReadingLink {

    private static final int OFFSET = 24;
    private static final int BEHIND_BYTES = 8;

    private final ByteBuffer[] bodies;
    private final List<String> sent = new ArrayList<>();
    private final Deque<ByteBuffer> arrived = new ArrayDeque<>();
    private int numbers;
    boolean connected = true;
    /** Messages wait for room. */
    boolean behind;
    /** Control messages have room. */
    boolean control = true;
    /** What was done to the link. */
    final List<String> did = new ArrayList<>();
    /** What its memory cannot be given back for, or null. */
    RuntimeException stuck;
    /** How often the peer was woken, and was asked for a sign of life, and how often somebody looked for a message. */
    int wakes;
    int looks;
    int polls;
    /** Done when a message was found, before it is handed out. */
    Runnable whenPolled = () -> { };
    /** What arming meets, and disarming. */
    RuntimeException armFault;
    /** Whose lock senders have. */
    Object session;

    FramePeer(int window, int pieceBytes) {
        bodies = new ByteBuffer[window + Protocol.CONTROLS];
        for (int i = 0; i < bodies.length; i++) {
            bodies[i] = ByteBuffer.allocateDirect(pieceBytes);
        }
    }

    /** Returns what was sent since this was asked last: {@code slot: KIND number +credits length/rest bytes}. */
    List<String> sent() {
        List<String> all = List.copyOf(sent);
        sent.clear();
        return all;
    }

    private static String header(long first, long second) {
        return switch (MessageHeader.kind(first)) {
            case MessageHeader.DATA -> "DATA " + MessageHeader.number(first) + " +" + MessageHeader.credits(first) + " "
                    + MessageHeader.length(second) + "/" + MessageHeader.rest(second);
            case MessageHeader.CREDIT -> "CREDIT +" + MessageHeader.credits(first);
            case MessageHeader.BYE -> "BYE";
            default -> "kind " + MessageHeader.kind(first);
        };
    }

    // ---- what comes

    /** A message comes. */
    void comes(long first, long second, String bytes) {
        ByteBuffer message = ByteBuffer.allocate(OFFSET + 16 + bytes.length() + BEHIND_BYTES);
        message.order(ByteOrder.LITTLE_ENDIAN).position(OFFSET).putLong(first).putLong(second)
                .put(bytes.getBytes(StandardCharsets.US_ASCII));
        arrived.add(message.flip());
    }

    /** A piece comes, the next one. @param rest bytes of the frame from there on */
    void piece(String bytes, int rest, int credits) {
        comes(MessageHeader.first(MessageHeader.DATA, credits, numbers++), MessageHeader.second(bytes.length(), rest),
                bytes);
    }

    /** A frame comes, of one piece. */
    void frame(String bytes) {
        piece(bytes, bytes.length(), 0);
    }

    void credits(int credits) {
        comes(MessageHeader.first(MessageHeader.CREDIT, credits, 0), MessageHeader.second(0, 0), "");
    }

    void bye() {
        comes(MessageHeader.first(MessageHeader.BYE, 0, 0), MessageHeader.second(0, 0), "");
    }

    @Override
    public boolean poll() {
        polls++;
        ByteBuffer next = arrived.poll();
        if (next == null || failure() != null) {
            return false;
        }
        int length = next.limit() - OFFSET;
        payload(next.clear(), OFFSET, length);
        whenPolled.run();
        return true;
    }

    // ---- what is sent

    @Override
    public ByteBuffer body(int slot) {
        return bodies[slot];
    }

    @Override
    public boolean send(int slot, long first, long second, int bodyLength) {
        byte[] bytes = new byte[bodyLength];
        bodies[slot].get(0, bytes);
        String text = bodyLength == 0 ? "" : " " + new String(bytes, StandardCharsets.US_ASCII);
        sent.add(slot + ": " + header(first, second) + text);
        return failure() == null;
    }

    @Override
    public boolean sendControl(long first, long second) {
        sent.add(header(first, second));
        return failure() == null;
    }

    @Override
    public boolean hasControl() {
        return control;
    }

    @Override
    public boolean isBehind() {
        return behind;
    }

    @Override
    public void wakePeer() {
        wakes++;
    }

    // ---- waiting, and the end

    @Override
    public void arm() {
        did.add("arm");
        if (armFault != null) {
            throw armFault;
        }
    }

    @Override
    public void disarm() {
        did.add("disarm");
        if (armFault != null) {
            throw armFault;
        }
    }

    @Override
    public void checkPeer(long nowNs) {
        if (!Thread.holdsLock(session)) {
            throw new AssertionError("somebody may be sending");
        }
        looks++;
    }

    @Override
    public boolean isConnected() {
        return connected;
    }

    @Override
    public InetAddress peerHost() {
        return InetAddress.getLoopbackAddress();
    }

    @Override
    public void disconnect() {
        did.add("disconnect");
    }

    @Override
    public void close() {
        did.add("close");
        if (stuck != null) {
            throw stuck;
        }
    }
}
