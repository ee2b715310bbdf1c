package org.jvrpc.runtime.verbs;

import org.jvrpc.runtime.thread.Events;
import org.jvrpc.verbs.EventChannel;

/** The events of an {@link EventChannel}. */
record ChannelEvents(EventChannel channel) implements Events {

    @Override
    public void await(long timeoutNs) {
        channel.await(timeoutNs);
    }

    @Override
    public void wakeup() {
        channel.wakeup();
    }

    @Override
    public boolean notifies() {
        return channel.notifies();
    }

    @Override
    public boolean notifyOnce(Runnable owner) {
        return channel.notifyOnce(owner);
    }
}
