package org.jvrpc.fabric.event;

import java.util.Arrays;

/**
 * Simulated time and what is to happen in it. Events of the same nanosecond happen in the order in which they were
 * scheduled, so a run depends on nothing but its seeds.
 *
 * <pre>
 * wheel  a list for each of the next 2^14 ns, and a bit for each that is not empty
 * heap   what is later; it moves to the wheel when its time is within reach, before anything else can get there
 * </pre>
 * Events are used again: once as many exist as are ever pending, nothing allocates. One thread.
 */
public final class EventQueue {

    private static final int WHEEL = 1 << 14;
    private static final int MASK = WHEEL - 1;
    private static final int FIRST_HEAP = 1024;

    private static final class Event {
        private long atNs;
        private long number;
        private EventTarget target;
        private int kind;
        private Object subject;
        private long argument;
        private Event next;
    }

    private final Event[] heads = new Event[WHEEL];
    private final Event[] tails = new Event[WHEEL];
    private final long[] bits = new long[WHEEL / Long.SIZE];
    private Event[] heap = new Event[FIRST_HEAP];
    private int heapSize;
    private int wheelSize;
    private Event free;
    private long nowNs;
    private long numbers;
    private long happened;

    /** Returns the time, from 0 on. */
    public long nowNs() {
        return nowNs;
    }

    /** Returns how many events happened. */
    public long happened() {
        return happened;
    }

    /** Returns how many events are still to happen. */
    public int pending() {
        return wheelSize + heapSize;
    }

    /** Returns when something happens next; {@link Long#MAX_VALUE} when nothing does. */
    public long nextNs() {
        return wheelSize > 0 ? heads[firstSlot()].atNs : heapSize > 0 ? heap[0].atNs : Long.MAX_VALUE;
    }

    /**
     * Has something happen.
     *
     * @param atNs not before now
     */
    public void schedule(long atNs, EventTarget target, int kind, Object subject, long argument) {
        if (atNs < nowNs) {
            throw new IllegalArgumentException("the past, atNs=" + atNs + " nowNs=" + nowNs);
        }
        Event event = free;
        if (event == null) {
            event = new Event();
        } else {
            free = event.next;
            event.next = null;
        }
        event.atNs = atNs;
        event.number = numbers++;
        event.target = target;
        event.kind = kind;
        event.subject = subject;
        event.argument = argument;
        if (atNs - nowNs < WHEEL) {
            append(event);
        } else {
            push(event);
        }
    }

    private void append(Event event) {
        int slot = (int) event.atNs & MASK;
        Event tail = tails[slot];
        if (tail == null) {
            heads[slot] = event;
            bits[slot >>> 6] |= 1L << slot;
        } else {
            tail.next = event;
        }
        tails[slot] = event;
        wheelSize++;
    }

    /**
     * Lets everything happen up to a time, which is now afterwards.
     *
     * @return false when something is still to happen later
     */
    public boolean runUntil(long endNs) {
        while (step(endNs)) {
            happened++;
        }
        if (nowNs < endNs) {
            advance(endNs);
        }
        return pending() == 0;
    }

    /** Lets at most so many events happen; returns true when nothing is left to happen. */
    public boolean runEvents(long most) {
        for (long i = 0; i < most && step(Long.MAX_VALUE); i++) {
            happened++;
        }
        return pending() == 0;
    }

    private boolean step(long endNs) {
        if (wheelSize == 0) {
            if (heapSize == 0 || heap[0].atNs > endNs) {
                return false;
            }
            advance(heap[0].atNs);
        }
        int slot = firstSlot();
        Event event = heads[slot];
        if (event.atNs > endNs) {
            return false;
        }
        if (event.atNs != nowNs) {
            advance(event.atNs);
        }
        heads[slot] = event.next;
        if (event.next == null) {
            tails[slot] = null;
            bits[slot >>> 6] &= ~(1L << slot);
        }
        wheelSize--;
        EventTarget target = event.target;
        Object subject = event.subject;
        event.subject = null;
        event.next = free;
        free = event;
        target.happen(event.kind, subject, event.argument);
        return true;
    }

    /** Returns the slot of the next event in the wheel, which is not empty. */
    private int firstSlot() {
        int start = (int) nowNs & MASK;
        int word = start >>> 6;
        long found = bits[word] & -1L << start;
        while (found == 0) {
            word = word + 1 & bits.length - 1;
            found = bits[word];
        }
        return word << 6 | Long.numberOfTrailingZeros(found);
    }

    private void advance(long toNs) {
        nowNs = toNs;
        while (heapSize > 0 && heap[0].atNs - toNs < WHEEL) {
            append(pop());
        }
    }

    private static boolean isBefore(Event a, Event b) {
        return a.atNs != b.atNs ? a.atNs < b.atNs : a.number < b.number;
    }

    private void push(Event event) {
        if (heapSize == heap.length) {
            heap = Arrays.copyOf(heap, 2 * heapSize);
        }
        int at = heapSize++;
        while (at > 0) {
            int parent = at - 1 >>> 1;
            if (!isBefore(event, heap[parent])) {
                break;
            }
            heap[at] = heap[parent];
            at = parent;
        }
        heap[at] = event;
    }

    private Event pop() {
        Event first = heap[0];
        Event last = heap[--heapSize];
        heap[heapSize] = null;
        int at = 0;
        while (heapSize > 0) {
            int child = 2 * at + 1;
            if (child >= heapSize) {
                break;
            }
            if (child + 1 < heapSize && isBefore(heap[child + 1], heap[child])) {
                child++;
            }
            if (!isBefore(heap[child], last)) {
                break;
            }
            heap[at] = heap[child];
            at = child;
        }
        if (heapSize > 0) {
            heap[at] = last;
        }
        return first;
    }
}
