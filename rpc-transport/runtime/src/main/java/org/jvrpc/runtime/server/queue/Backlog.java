package org.jvrpc.runtime.server.queue;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jvrpc.runtime.session.Link;
import org.jvrpc.runtime.session.Parts;
import org.jvrpc.runtime.session.RpcHeader;
import org.jvrpc.verbs.rare.Rare;

/**
 * Messages that came while the server did not run, or was held up by a handler: they are taken out of the link before
 * the first is handled, so that a call whose CANCEL lies behind it is known to be given up. Bounded by the receives of
 * the link. Poller thread.
 */
public final class Backlog {

    /** One message, copied. */
    public static final class Message {
        public final long first;
        public final long second;
        public final ByteBuffer memory;
        public final int length;
        boolean cancelled;

        private Message(long first, long second, ByteBuffer memory, int length) {
            this.first = first;
            this.second = second;
            this.memory = memory;
            this.length = length;
        }

        /** Returns true when its caller has given up. */
        public boolean isCancelled() {
            return cancelled;
        }
    }

    private final Link link;
    private final ScratchMemory scratch;
    private final int limit;
    private final Parts parts = new Parts();
    private final ArrayDeque<Message> messages = new ArrayDeque<>();

    /** @param limit of messages taken at a time */
    public Backlog(Link link, ScratchMemory scratch, int limit) {
        this.link = link;
        this.scratch = scratch;
        this.limit = limit;
    }

    public boolean isEmpty() {
        return messages.isEmpty();
    }

    /** Takes the message that was polled, and all that can be polled behind it. */
    public void fill() {
        Rare.reached("requests are held back after a pause");
        do {
            long first = link.first();
            boolean several = RpcHeader.kind(first) == RpcHeader.REQUEST
                    && (RpcHeader.flags(first) & RpcHeader.MORE) != 0;
            if (!several || !split(first)) { // what makes no sense is told when its turn comes
                add(first, link.second(), link.payloadOffset(), link.payloadLength());
            }
            if (RpcHeader.kind(first) == RpcHeader.CANCEL) {
                cancel(RpcHeader.callId(first));
            }
        } while (messages.size() < limit && link.poll());
    }

    private void add(long first, long second, int at, int length) {
        ByteBuffer copy = scratch.take(length).put(0, link.payload(), at, length);
        messages.add(new Message(first, second, copy, length));
    }

    /** Keeps requests that came in one message as if each had come alone; false where they make no sense. */
    private boolean split(long head) {
        begin(head);
        boolean whole = parts.isOneOfSeveral(RpcHeader.REQUEST);
        while (whole && parts.isFollowed()) {
            parts.next();
            whole = parts.isOneOfSeveral(RpcHeader.REQUEST);
        }
        if (!whole) {
            return false;
        }
        begin(head);
        for (; parts.isFollowed(); parts.next()) {
            addPart();
        }
        addPart();
        return true;
    }

    private void begin(long head) {
        parts.begin(head, link.second(), link.payload(), link.payloadOffset(), link.payloadLength());
    }

    private void addPart() {
        add(RpcHeader.withoutMore(parts.first()), parts.second(), parts.body() - RpcHeader.BYTES,
                RpcHeader.BYTES + parts.length());
    }

    private void cancel(int callId) {
        for (Message message : messages) {
            if (RpcHeader.callId(message.first) == callId) {
                message.cancelled |= RpcHeader.kind(message.first) == RpcHeader.REQUEST
                        && (RpcHeader.flags(message.first) & RpcHeader.MORE) == 0; // else it makes no sense
            }
        }
    }

    public Message take() {
        return messages.poll();
    }

    /** A message was handled. */
    public void release(Message message) {
        scratch.give(message.memory);
    }
}
