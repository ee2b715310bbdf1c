package org.jvrpc.ibverbs.generic;

import java.util.HashMap;
import java.util.Map;
import org.jvrpc.ibverbs.binding.Ibv;
import org.jvrpc.ibverbs.binding.LibC;
import org.jvrpc.ibverbs.binding.Libraries;
import org.jvrpc.ibverbs.binding.Native;
import org.jvrpc.ibverbs.binding.WorkLayouts.AsyncEvent;
import org.jvrpc.ibverbs.core.EventSource;
import org.jvrpc.ibverbs.core.RdmaContext;
import org.jvrpc.ibverbs.core.RdmaEventChannel;

/**
 * The device's asynchronous events, read without waiting by whoever has time, and by whoever waits on a channel.
 * Source: ibv_get_async_event(3). Any thread.
 */
final class GenericEvents implements EventSource {

    private final GenericDriver driver;
    private final RdmaContext context;
    private final Native event = Native.allocate(AsyncEvent.BYTES);
    private final Map<RdmaEventChannel, Integer> channels = new HashMap<>();

    GenericEvents(GenericDriver driver, RdmaContext context) {
        this.driver = driver;
        this.context = context;
        LibC c = Libraries.c();
        c.fcntl(context.asyncFd(), LibC.F_SETFL, c.fcntl(context.asyncFd(), LibC.F_GETFL, 0) | LibC.O_NONBLOCK);
    }

    /** Has who waits on a channel of a CQ hear of the events, too. */
    synchronized void watch(RdmaEventChannel channel) {
        if (channels.merge(channel, 1, Integer::sum) == 1) {
            channel.add(this);
        }
    }

    /** Ends what one {@link #watch} began. */
    synchronized void unwatch(RdmaEventChannel channel) {
        if (channels.merge(channel, -1, Integer::sum) == 0) {
            channels.remove(channel);
            channel.remove(this);
        }
    }

    /** Returns once nobody reads any more, and nobody will; the driver is closed. */
    synchronized void stop() {
        assert driver.isClosed() : "reading goes on";
    }

    @Override
    public int fd() {
        return context.asyncFd();
    }

    @Override
    public boolean handle() {
        return read();
    }

    /** Takes what is there, and tells whom it concerns; returns true when it concerned somebody. Never blocks. */
    synchronized boolean read() {
        boolean any = false;
        while (!driver.isClosed() && context.lib().ibv_get_async_event(context.address(), event.address()) == 0) {
            int type = event.getInt(AsyncEvent.EVENT_TYPE);
            long element = event.getLong(AsyncEvent.ELEMENT);
            context.lib().ibv_ack_async_event(event.address()); // or destroying the element waits for ever
            any |= tell(type, element);
        }
        return any;
    }

    private boolean tell(int type, long element) {
        switch (type) {
            case Ibv.EVENT_CQ_ERR -> driver.cqFailed(element);
            case Ibv.EVENT_QP_FATAL, Ibv.EVENT_QP_REQ_ERR, Ibv.EVENT_QP_ACCESS_ERR -> driver.qpFailed(element);
            case Ibv.EVENT_DEVICE_FATAL -> driver.deviceFailed();
            default -> {
                return false; // ports and paths come and go; connection management hears of it
            }
        }
        return true;
    }
}
