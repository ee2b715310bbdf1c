package org.acme;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jvrpc.api.RpcService;
import org.jvrpc.api.Since;
import org.jvrpc.api.UnknownConstant;

@RpcService
public interface Shop {

    List<Item> items(Map<String, Item> by) throws SoldOut;

    Tree tree(Bare bare, Box<String> box);

    /** Grew at the end. */
    record Item(
            long id,
            Kind kind,
            @Since(1) String note,
            @Since(1) int stock,
            @Since(2) Optional<String> maker,
            @Since(2) Kind other,
            @Since(3) OptionalInt size,
            @Since(3) List<Duration> times) {
    }

    /** Had nothing at first. */
    record Bare(@Since(1) boolean a, @Since(1) byte b, @Since(2) short c, @Since(2) char d, @Since(3) float e,
            @Since(3) double f, @Since(3) long g) {
    }

    /** Has versions for each of its type arguments. */
    record Box<T>(T value, @Since(2) T next) {
    }

    /** Holds others of its kind. */
    record Tree(String name, @Since(2) Tree left, @Since(2) List<Tree> others) {
    }

    /** Has a constant for those that it does not know. */
    enum Kind {
        BOOK,
        @UnknownConstant OTHER,
        FILM
    }

    /** Says more since its second version. */
    class SoldOut extends Exception {

        private static final long serialVersionUID = 1L;
        private final long id;
        private final Duration wait;

        public SoldOut(long id, @Since(2) Duration wait) {
            this.id = id;
            this.wait = wait;
        }

        public long id() {
            return id;
        }

        public Duration getWait() {
            return wait;
        }
    }
}
