package org.jvrpc.runtime.contract.ends;

import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;

/** One call, and all that became of it. Many threads. */
public final class RacedCall {

    private final String name;
    private final long sinceNs;
    private final Object expected;
    private final Queue<Event> events = new ConcurrentLinkedQueue<>();
    private final AtomicInteger told = new AtomicInteger();
    private final AtomicInteger completed = new AtomicInteger();
    private volatile CompletableFuture<?> future;
    private volatile Status toldFirst;
    private volatile boolean cancelled;

    /** What was noted, and when. */
    private record Event(long atNs, String what, Object detail) {

        String text(long sinceNs) {
            String text = detail instanceof byte[] bytes ? "bytes=" + bytes.length : String.valueOf(detail);
            return (atNs - sinceNs) / 1000 + " us " + what + (detail == null ? "" : " " + text);
        }
    }

    /**
     * A call that is about to begin.
     *
     * @param expected its answer
     * @param sinceNs from when on times are counted
     */
    RacedCall(String name, Object expected, long sinceNs) {
        this.name = name;
        this.sinceNs = sinceNs;
        this.expected = expected;
        note("begins", null);
    }

    private void note(String what, Object detail) {
        events.add(new Event(System.nanoTime(), what, detail));
    }

    /** It has begun. */
    public void begun(CompletableFuture<?> made) {
        future = made;
        note("begun", null);
        made.whenComplete((value, failure) -> {
            note("completed", failure == null ? value : failure);
            completed.incrementAndGet();
        });
    }

    /** It was not begun, for this reason. */
    public void refused(Object why) {
        note("not begun", why);
    }

    /** A listener hears of its end. */
    public void told(Status status, String message) {
        note("told", message == null ? status : status + " " + message);
        if (told.getAndIncrement() == 0) {
            toldFirst = status;
        }
    }

    /** Cancels its future. */
    public void cancel() {
        note("cancel", null);
        cancelled = true;
        note("cancelled", future.cancel(false));
    }

    public CompletableFuture<?> future() {
        return future;
    }

    /** Returns true when its future and its listener have heard of its end. */
    public boolean isOver() {
        return completed.get() > 0 && told.get() > 0;
    }

    /** Returns true when each of them has heard of it once; of one that was refused nobody but its caller. */
    public boolean isOverOnce() {
        return future == null ? told.get() == 0 : completed.get() == 1 && told.get() == 1;
    }

    /** Returns the status that an outcome means, or a wrong answer. */
    public Object end(Object outcome) {
        if (outcome instanceof RpcException e) {
            return e.status();
        }
        return outcome instanceof CancellationException ? Status.CANCELLED
                : Objects.deepEquals(expected, outcome) ? Status.OK : outcome == null ? "null" : outcome;
    }

    /** Returns what is wrong with how it ended, or null. @param allowed how calls may end */
    public String fault(Object end, List<Status> allowed) {
        if (!isOverOnce()) {
            return "it ended times=" + completed + ", its listener was told times=" + told;
        }
        if (!allowed.contains(end)) {
            return "it ended with " + end;
        }
        // A cancelled future may have been faster than the answer, or not, and its listener heard of the other.
        return cancelled || toldFirst == end ? null : "it ended with " + end + ", its listener was told " + toldFirst;
    }

    /** Returns its history. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(name);
        events.forEach(event -> text.append("; ").append(event.text(sinceNs)));
        return text.toString();
    }
}
