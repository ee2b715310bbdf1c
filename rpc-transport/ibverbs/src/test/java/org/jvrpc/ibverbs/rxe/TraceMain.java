package org.jvrpc.ibverbs.rxe;

import org.jvrpc.ibverbs.binding.Libraries;
import org.jvrpc.ibverbs.binding.Native;

/** Plays rounds between two marks that a tracer of system calls sees. */
final class TraceMain {

    /** How the mark looks in a trace: nobody else asks for this limit. */
    static final String MARK = "RLIMIT_SIGPENDING";

    private static final int RLIMIT_SIGPENDING = 11;
    private static final int WARM_UP = 20;

    private TraceMain() {
    }

    public static void main(String[] arguments) {
        try (Player left = new Player(0, false); Player right = new Player(1, false)) {
            Player.connect(left, right);
            Player.play(left, right, WARM_UP);
            Native limit = Native.allocate(16);
            mark(limit);
            Player.play(left, right, Integer.parseInt(arguments[0]));
            mark(limit);
        }
    }

    private static void mark(Native limit) {
        Libraries.c().getrlimit(RLIMIT_SIGPENDING, limit.address());
    }
}
