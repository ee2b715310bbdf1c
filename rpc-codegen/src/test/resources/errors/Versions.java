package org.acme;

import org.jvrpc.api.RpcService;
import org.jvrpc.api.Since;
import org.jvrpc.api.UnknownConstant;

@RpcService
interface Versions {

    void zero(Zero zero); // ERROR parameter zero: Zero.b: @Since(0) on b: versions count from 1

    void middle(Middle middle); // ERROR parameter middle: Middle.c: c stands behind one with @Since(2): new components stand at the end, in the order of their versions

    void order(Order order); // ERROR parameter order: Order.c: c stands behind one with @Since(3): new components stand at the end, in the order of their versions

    void twice(Twice twice); // ERROR parameter twice: org.acme.Versions.Twice has two constants with @UnknownConstant

    void thrown() throws Thrown; // ERROR Thrown.b: b stands behind one with @Since(1): new components stand at the end, in the order of their versions

    record Zero(int a, @Since(0) int b) {
    }

    record Middle(int a, @Since(2) int b, int c) {
    }

    record Order(int a, @Since(3) int b, @Since(2) int c) {
    }

    enum Twice {
        @UnknownConstant A,
        @UnknownConstant B
    }

    class Thrown extends Exception {

        private static final long serialVersionUID = 1L;
        public final int a;
        public final int b;

        public Thrown(@Since(1) int a, int b) {
            this.a = a;
            this.b = b;
        }

        public int a() {
            return a;
        }

        public int b() {
            return b;
        }
    }
}
