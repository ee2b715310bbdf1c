package org.jvrpc.tcp.link;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Things that take much memory and are needed for moments, by whichever connection it is. Any thread. */
public final class Lender<T> {

    private final ArrayBlockingQueue<T> idle;
    private final Supplier<T> maker;
    private final Consumer<T> end;
    private final AtomicInteger lent = new AtomicInteger();

    /**
     * Makes one that has nothing.
     *
     * @param most how many are kept that nobody has
     * @param end of one more
     */
    public Lender(int most, Supplier<T> maker, Consumer<T> end) {
        this.idle = new ArrayBlockingQueue<>(most);
        this.maker = maker;
        this.end = end;
    }

    /** Lends one, which is made where none is kept. */
    public T take() {
        lent.incrementAndGet();
        T kept = idle.poll();
        return kept == null ? maker.get() : kept;
    }

    /** Takes one back, for the next. */
    public void give(T thing) {
        lent.decrementAndGet();
        if (!idle.offer(thing)) {
            end.accept(thing);
        }
    }

    /** Returns how many were lent and did not come back, those among them whose borrowers are gone. */
    public int lent() {
        return lent.get();
    }
}
