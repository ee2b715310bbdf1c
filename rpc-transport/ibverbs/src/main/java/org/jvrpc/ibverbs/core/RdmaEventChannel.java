package org.jvrpc.ibverbs.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jvrpc.ibverbs.binding.Layouts.CompChannel;
import org.jvrpc.ibverbs.binding.LibC;
import org.jvrpc.ibverbs.binding.Libraries;
import org.jvrpc.ibverbs.binding.Native;
import org.jvrpc.ibverbs.binding.WorkLayouts.PollFd;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.VerbsException;

/**
 * Waits by ppoll(2) for a completion channel, a wake-up counter, and whatever else is added, such as a connection
 * manager's events. One thread waits at a time, any thread wakes it.
 */
public final class RdmaEventChannel implements EventChannel {

    private static final int EVENT_BYTES = 8;
    private static final int EVENTS_AT_ONCE = 32;

    private final RdmaContext context;
    private final LibC c = Libraries.c();
    private final long channel;
    private final int completionFd;
    private final int wakeFd;
    private final Map<Long, CompletionSink> sinks = new ConcurrentHashMap<>();
    private final Queue<CompletionSink> completed = new ConcurrentLinkedQueue<>();
    private final List<EventSource> sources = new ArrayList<>();
    private final Interruption interruption = new Interruption(this);
    private EventSource connections;
    private final Native read = Native.allocate(EVENT_BYTES * EVENTS_AT_ONCE);
    private final Native time = Native.allocate(16);
    private final Native one = Native.allocate(8).putLong(0, 1);
    private Native polled;
    private EventSource[] watched;
    private volatile boolean changed = true;
    private final ReentrantLock inside = new ReentrantLock();
    /** Set by {@link #wakeup}: a signal may also mean that what is watched changed, and the two may fall together. */
    private final AtomicBoolean asked = new AtomicBoolean();
    private boolean wakeClosed;
    private Runnable whenClosed = () -> { };
    private volatile boolean closed;

    private RdmaEventChannel(RdmaContext context) {
        this.context = context;
        this.channel = context.lib().ibv_create_comp_channel(context.address());
        if (channel == 0) {
            throw NativeException.last("create_comp_channel", "device=" + context.name());
        }
        this.completionFd = Native.intAt(channel + CompChannel.FD);
        c.fcntl(completionFd, LibC.F_SETFL, c.fcntl(completionFd, LibC.F_GETFL, 0) | LibC.O_NONBLOCK);
        this.wakeFd = c.eventfd(0, LibC.O_NONBLOCK | LibC.EFD_CLOEXEC);
        if (wakeFd < 0) {
            NativeException e = NativeException.last("eventfd", "");
            context.lib().ibv_destroy_comp_channel(channel);
            throw e;
        }
    }

    /** Makes one. @throws VerbsException when there are no more file descriptors, or the device is closed */
    public static RdmaEventChannel create(RdmaContext context) {
        return context.whileOpen("create_comp_channel", () -> new RdmaEventChannel(context));
    }

    /** Returns the address of the {@code struct ibv_comp_channel}. */
    public long address() {
        return channel;
    }

    /** Returns the file descriptor of completion events. */
    public int completionFd() {
        return completionFd;
    }

    /** Names a CQ by what the kernel says in its events: the user handle that the CQ was made with. */
    public void register(long userHandle, CompletionSink sink) {
        if (closed) {
            throw new VerbsException("create_cq", "event channel is closed, device=" + context.name());
        }
        sinks.put(userHandle, sink);
    }

    /** Ends what {@link #register} began. */
    public void unregister(long userHandle) {
        sinks.remove(userHandle);
    }

    /** Has something run when the channel was closed. Before anybody else has the channel. */
    public void onClose(Runnable action) {
        whenClosed = action;
    }

    /** Makes an event of a completion that the kernel does not know of. Any thread. */
    public void complete(CompletionSink sink) {
        completed.add(sink);
        signal();
    }

    /** Watches something else, too. Its events are handled inside {@link #await}. Any thread. */
    public void add(EventSource source) {
        synchronized (sources) {
            sources.add(source);
            changed = true;
        }
        signal();
    }

    /** Ends what {@link #add} began. The source's file descriptor may be closed when this returns. */
    public void remove(EventSource source) {
        synchronized (sources) {
            sources.remove(source);
            changed = true;
        }
        signal();
    }

    /** Returns the source of connections' events, made when first asked for; it ends with the channel. Any thread. */
    public synchronized EventSource connections(Supplier<EventSource> maker) {
        if (closed) {
            throw new VerbsException("connect", "event channel is closed, device=" + context.name());
        }
        if (connections == null) {
            connections = maker.get();
            add(connections);
        }
        return connections;
    }

    @Override
    public boolean await(long timeoutNs) {
        inside.lock();
        try {
            return awaitInside(timeoutNs);
        } finally {
            inside.unlock();
        }
    }

    private boolean awaitInside(long timeoutNs) {
        long deadlineNs = System.nanoTime() + timeoutNs;
        while (!closed) {
            if (changed) {
                watch();
            }
            long leftNs = Math.max(0, deadlineNs - System.nanoTime());
            int ready = poll(leftNs);
            if (ready > 0) {
                int found = handle();
                if (found != 0) {
                    return found == EVENT;
                }
            }
            if (leftNs == 0 || Thread.currentThread().isInterrupted()) {
                return false;
            }
        }
        return false;
    }

    private static final int EVENT = 1;
    private static final int WOKEN = 2;

    private int poll(long timeoutNs) {
        time.putLong(0, timeoutNs / 1_000_000_000L).putLong(8, timeoutNs % 1_000_000_000L);
        if (timeoutNs == 0) {
            return c.ppoll(polled.address(), watched.length + 2, time.address(), 0);
        }
        interruption.enter();
        try {
            return c.ppoll(polled.address(), watched.length + 2, time.address(), 0);
        } finally {
            interruption.leave();
        }
    }

    private int handle() {
        boolean event = ready(0) && completions();
        for (int i = 0; i < watched.length; i++) {
            if (ready(i + 2)) {
                event |= watched[i].handle();
            }
        }
        boolean woken = ready(1) && c.read(wakeFd, read.address(), EVENT_BYTES) == EVENT_BYTES
                && asked.getAndSet(false); // else only what is watched has changed
        for (CompletionSink sink = completed.poll(); sink != null; sink = completed.poll()) {
            event |= sink.completed();
        }
        return event ? EVENT : woken ? WOKEN : 0;
    }

    private boolean ready(int index) {
        return polled.getShort(index * PollFd.BYTES + PollFd.REVENTS) != 0;
    }

    private boolean completions() {
        boolean event = false;
        long bytes = c.read(completionFd, read.address(), (long) EVENT_BYTES * EVENTS_AT_ONCE);
        for (int at = 0; at < bytes; at += EVENT_BYTES) {
            CompletionSink sink = sinks.get(read.getLong(at));
            event |= sink != null && sink.completed();
        }
        return event;
    }

    private void watch() {
        synchronized (sources) {
            changed = false;
            watched = sources.toArray(new EventSource[0]);
            polled = Native.allocate((watched.length + 2) * PollFd.BYTES);
            watch(0, completionFd);
            watch(1, wakeFd);
            for (int i = 0; i < watched.length; i++) {
                watch(i + 2, watched[i].fd());
            }
        }
    }

    private void watch(int index, int fd) {
        polled.putInt(index * PollFd.BYTES + PollFd.FD, fd)
                .putShort(index * PollFd.BYTES + PollFd.EVENTS, LibC.POLLIN);
    }

    @Override
    public void wakeup() {
        asked.set(true);
        signal();
    }

    private void signal() {
        synchronized (one) {
            if (!wakeClosed) {
                c.write(wakeFd, one.address(), EVENT_BYTES);
            }
        }
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            wakeup();
            boolean alone = awaitNobodyInside();
            if (connections != null) {
                connections.channelClosed();
            }
            AtomicBoolean destroyed = new AtomicBoolean();
            context.whileOpen(() -> destroyed.set(context.lib().ibv_destroy_comp_channel(channel) == 0));
            if (!destroyed.get()) {
                c.close(completionFd); // CQs still name it, or the device was closed before
            }
            synchronized (one) {
                wakeClosed = true;
                c.close(wakeFd);
            }
            if (alone) {
                inside.unlock();
            }
            whenClosed.run();
        }
    }

    /** A closed file's number may be another's at once: nobody may be about to read it. */
    private boolean awaitNobodyInside() {
        try {
            return inside.tryLock(1, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return inside.tryLock();
        }
    }
}
