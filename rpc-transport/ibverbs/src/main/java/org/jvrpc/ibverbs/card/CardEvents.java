package org.jvrpc.ibverbs.card;

import org.jvrpc.ibverbs.binding.LibC;
import org.jvrpc.ibverbs.binding.Libraries;
import org.jvrpc.ibverbs.binding.Native;
import org.jvrpc.ibverbs.binding.WorkLayouts.AsyncEvent;
import org.jvrpc.ibverbs.core.EventSource;
import org.jvrpc.ibverbs.core.RdmaContext;

/** Events of a device that are not completions: a CQ that overran, a QP that failed, a device that went. Any thread. */
final class CardEvents implements EventSource {

    /** Numbers of {@code enum ibv_event_type}. */
    private static final int CQ_ERR = 0;
    private static final int QP_FATAL = 1;
    private static final int QP_REQ_ERR = 2;
    private static final int QP_ACCESS_ERR = 3;
    private static final int DEVICE_FATAL = 8;

    private final CardDriver driver;
    private final RdmaContext context;
    private final long address;
    private final Native event = Native.allocate(AsyncEvent.BYTES);
    private volatile boolean gone;
    private boolean stopped;

    CardEvents(CardDriver driver, RdmaContext context) {
        this.driver = driver;
        this.context = context;
        this.address = context.address();
        int flags = Libraries.c().fcntl(context.asyncFd(), LibC.F_GETFL, 0);
        Libraries.c().fcntl(context.asyncFd(), LibC.F_SETFL, flags | LibC.O_NONBLOCK);
    }

    /** Returns true when the device is gone. */
    boolean isGone() {
        return gone;
    }

    /** Returns once nobody reads any more, and nobody will. */
    synchronized void stop() {
        stopped = true;
    }

    /** Takes the events that are there; true when one of them concerns somebody. */
    synchronized boolean look() {
        boolean found = false;
        while (!stopped && context.lib().ibv_get_async_event(address, event.address()) == 0) {
            found |= take(event.getInt(AsyncEvent.EVENT_TYPE), event.getLong(AsyncEvent.ELEMENT));
            context.lib().ibv_ack_async_event(event.address());
        }
        return found;
    }

    private boolean take(int type, long element) {
        switch (type) {
            case CQ_ERR:
                return driver.cqFailed(element);
            case QP_FATAL:
            case QP_REQ_ERR:
            case QP_ACCESS_ERR:
                return driver.qpFailed(element);
            case DEVICE_FATAL:
                gone = true;
                return true;
            default:
                return false; // ports, paths, limits: nobody waits for them
        }
    }

    @Override
    public int fd() {
        return context.asyncFd();
    }

    @Override
    public boolean handle() {
        return look();
    }
}
