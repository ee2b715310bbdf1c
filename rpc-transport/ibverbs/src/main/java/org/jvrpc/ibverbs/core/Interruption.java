package org.jvrpc.ibverbs.core;

import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.spi.AbstractInterruptibleChannel;

/** Has the interruption of a thread that is inside a native wait wake its event channel. One thread at a time. */
final class Interruption {

    private final RdmaEventChannel channel;
    private Hook hook;

    Interruption(RdmaEventChannel channel) {
        this.channel = channel;
    }

    /** The JDK calls {@code implCloseChannel} of what a thread is inside of when it is interrupted. */
    private static final class Hook extends AbstractInterruptibleChannel {

        private final RdmaEventChannel channel;

        Hook(RdmaEventChannel channel) {
            this.channel = channel;
        }

        void enter() {
            begin();
        }

        void leave() {
            try {
                end(true);
            } catch (AsynchronousCloseException e) {
                return; // the thread's interrupted state stays set, and ends the wait
            }
        }

        @Override
        protected void implCloseChannel() {
            channel.wakeup();
        }
    }

    void enter() {
        if (hook == null || !hook.isOpen()) {
            hook = new Hook(channel);
        }
        hook.enter();
    }

    void leave() {
        hook.leave();
    }
}
