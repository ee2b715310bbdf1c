package org.jvrpc.offload.hull;

import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A process that is none. It lives until it is told its status, and notes what is done to it and to its own child. */
final class FakeChild extends Process {

    private final List<String> events;
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile int status;
    private volatile Runnable whenTold = () -> { };

    FakeChild(List<String> events) {
        this.events = events;
    }

    /** A process that has ended. */
    static FakeChild ended(int status) {
        FakeChild child = new FakeChild(List.of());
        child.end(status);
        return child;
    }

    void end(int newStatus) {
        status = newStatus;
        ended.countDown();
    }

    /** Has it end when it is told to; otherwise it is to be killed. */
    void endsWhenTold(int newStatus) {
        whenTold = () -> end(newStatus);
    }

    @Override
    public int waitFor() throws InterruptedException {
        ended.await();
        return status;
    }

    /** Passes no time. */
    @Override
    public boolean waitFor(long timeout, TimeUnit unit) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        events.add("waited " + unit.toMillis(timeout));
        return ended.getCount() == 0;
    }

    @Override
    public void destroy() {
        events.add("told to end");
        whenTold.run();
    }

    @Override
    public Process destroyForcibly() {
        events.add("killed");
        end(137);
        return this;
    }

    /** Returns one, which is found only while this one lives. */
    @Override
    public Stream<ProcessHandle> descendants() {
        if (ended.getCount() == 0) {
            return Stream.empty();
        }
        return Stream.of((ProcessHandle) Proxy.newProxyInstance(FakeChild.class.getClassLoader(),
                new Class<?>[] {ProcessHandle.class}, (proxy, method, arguments) -> {
                    events.add("its child: " + method.getName());
                    return true;
                }));
    }

    @Override
    public int exitValue() {
        return status;
    }

    @Override
    public OutputStream getOutputStream() {
        throw new UnsupportedOperationException();
    }

    @Override
    public InputStream getInputStream() {
        throw new UnsupportedOperationException();
    }

    @Override
    public InputStream getErrorStream() {
        throw new UnsupportedOperationException();
    }
}
