package org.jvrpc.tcp.gzip;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Things that take much memory and are needed for moments, by whichever connection it is. Any thread. */
final class Lender<T> {

    private final ArrayBlockingQueue<T> idle;
    private final Supplier<T> maker;
    private final Consumer<T> end;

    /** @param most how many are kept that nobody has */
    Lender(int most, Supplier<T> maker, Consumer<T> end) {
        this.idle = new ArrayBlockingQueue<>(most);
        this.maker = maker;
        this.end = end;
    }

    T take() {
        T kept = idle.poll();
        return kept == null ? maker.get() : kept;
    }

    void give(T thing) {
        if (!idle.offer(thing)) {
            end.accept(thing);
        }
    }
}
