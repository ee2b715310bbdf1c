package org.jvrpc.runtime;

import org.jvrpc.api.RpcMethod;
import org.jvrpc.api.RpcService;

/** A service whose answers explode when they are unpacked, where their numbers are negative. */
@RpcService
interface Parcels {

    Parcel light(int number);

    @RpcMethod(heavy = true)
    Parcel heavy(int number);

    int add(int a, int b);

    /** What the next constructors throw. */
    enum Bang { ASSERTION, STACK, MEMORY, LINKAGE, UNCHECKED }

    /** Travels; its constructor runs on both sides, and throws on the one that reads. */
    record Parcel(int number) {

        static final ThreadLocal<Boolean> PACKING = ThreadLocal.withInitial(() -> false);

        public Parcel {
            if (number < 0 && !PACKING.get()) {
                switch (Bang.values()[-number - 1]) {
                    case ASSERTION -> throw new AssertionError("bang");
                    case STACK -> throw new StackOverflowError("bang");
                    case MEMORY -> throw new OutOfMemoryError("bang");
                    case LINKAGE -> throw new NoClassDefFoundError("bang");
                    default -> throw new IllegalStateException("bang");
                }
            }
        }

        /** Makes one that explodes for whoever reads it. */
        static Parcel packed(int number) {
            PACKING.set(true);
            try {
                return new Parcel(number);
            } finally {
                PACKING.set(false);
            }
        }
    }

    /** Sends what is asked for. */
    final class Sender implements Parcels {

        @Override
        public Parcel light(int number) {
            return Parcel.packed(number);
        }

        @Override
        public Parcel heavy(int number) {
            return Parcel.packed(number);
        }

        @Override
        public int add(int a, int b) {
            return a + b;
        }
    }
}
