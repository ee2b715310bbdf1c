package org.jvrpc.runtime.server;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jvrpc.runtime.session.Link;
import org.jvrpc.runtime.session.RpcHeader;
import org.jvrpc.verbs.rare.Rare;

/**
 * Messages that came while the server did not run, or was held up by a handler: they are taken out of the link before
 * the first is handled, so that a call whose CANCEL lies behind it is known to be given up. Bounded by the receives of
 * the link. Poller thread.
 */
final class Backlog {

    /** One message, copied. */
    static final class Message {
        final long first;
        final long second;
        final ByteBuffer memory;
        final int length;
        boolean cancelled;

        private Message(long first, long second, ByteBuffer memory, int length) {
            this.first = first;
            this.second = second;
            this.memory = memory;
            this.length = length;
        }
    }

    private final Link link;
    private final ScratchMemory scratch;
    private final int limit;
    private final ArrayDeque<Message> messages = new ArrayDeque<>();

    /** @param limit of messages taken at a time */
    Backlog(Link link, ScratchMemory scratch, int limit) {
        this.link = link;
        this.scratch = scratch;
        this.limit = limit;
    }

    boolean isEmpty() {
        return messages.isEmpty();
    }

    /** Takes the message that was polled, and all that can be polled behind it. */
    void fill() {
        Rare.reached("requests are held back after a pause");
        do {
            long first = link.first();
            int length = link.payloadLength();
            ByteBuffer copy = scratch.take(length).put(0, link.payload(), link.payloadOffset(), length);
            messages.add(new Message(first, link.second(), copy, length));
            if (RpcHeader.kind(first) == RpcHeader.CANCEL) {
                cancel(RpcHeader.callId(first));
            }
        } while (messages.size() < limit && link.poll());
    }

    private void cancel(int callId) {
        for (Message message : messages) {
            if (RpcHeader.callId(message.first) == callId) {
                message.cancelled |= RpcHeader.kind(message.first) == RpcHeader.REQUEST;
            }
        }
    }

    Message take() {
        return messages.poll();
    }

    /** A message was handled. */
    void release(Message message) {
        scratch.give(message.memory);
    }
}
