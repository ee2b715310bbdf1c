package org.jvrpc.ibverbs.rxe;

import org.jvrpc.ibverbs.binding.LibC;
import org.jvrpc.ibverbs.binding.Libraries;
import org.jvrpc.ibverbs.binding.Native;
import org.jvrpc.ibverbs.core.RdmaContext;
import org.jvrpc.ibverbs.rxe.UverbsLayouts.AsyncEventDesc;

/**
 * The device's asynchronous events, read without waiting by whoever has time: {@code struct
 * ib_uverbs_async_event_desc}, of the layout of {@code struct ibv_async_event}, with user handles in place of pointers.
 * Any thread.
 */
final class RxeEvents {

    private static final int CQ_ERR = 0;
    private static final int QP_FATAL = 1;
    private static final int QP_REQ_ERR = 2;
    private static final int QP_ACCESS_ERR = 3;
    private static final int DEVICE_FATAL = 8;
    private static final int AT_ONCE = 16;

    private final RxeDriver driver;
    private final int fd;
    private final LibC c = Libraries.c();
    private final Native buffer = Native.allocate(AsyncEventDesc.BYTES * AT_ONCE);

    RxeEvents(RxeDriver driver, RdmaContext context) {
        this.driver = driver;
        this.fd = context.asyncFd();
        c.fcntl(fd, LibC.F_SETFL, c.fcntl(fd, LibC.F_GETFL, 0) | LibC.O_NONBLOCK);
    }

    int fd() {
        return fd;
    }

    /** Returns once nobody reads any more, and nobody will; the driver is closed. */
    synchronized void stop() {
        assert driver.isClosed() : "reading goes on";
    }

    /** Takes what is there, and tells whom it concerns. Never blocks. */
    synchronized void read() {
        long bytes;
        do {
            bytes = driver.isClosed() ? 0 : c.read(fd, buffer.address(), AsyncEventDesc.BYTES * AT_ONCE);
            for (int at = 0; at + AsyncEventDesc.BYTES <= bytes; at += AsyncEventDesc.BYTES) {
                handle(buffer.getInt(at + AsyncEventDesc.EVENT_TYPE), buffer.getLong(at + AsyncEventDesc.ELEMENT));
            }
        } while (bytes == AsyncEventDesc.BYTES * AT_ONCE);
    }

    private void handle(int type, long userHandle) {
        switch (type) {
            case CQ_ERR -> driver.cqFailed(userHandle);
            case QP_FATAL, QP_REQ_ERR, QP_ACCESS_ERR -> driver.qpFailed(userHandle);
            case DEVICE_FATAL -> driver.deviceFailed();
            default -> {
                return; // ports and paths come and go; connection management hears of it
            }
        }
    }
}
