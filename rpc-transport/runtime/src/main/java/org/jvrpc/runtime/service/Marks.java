package org.jvrpc.runtime.service;

import org.jvrpc.runtime.session.RpcHeader;

/**
 * What an answer has beside a status and a body, in one long that is 0 for most:
 *
 * <pre>
 * number of the declared exception:16 | flags of {@link RpcHeader}:8
 * </pre>
 */
public final class Marks {

    private static final int FLAGS = 16;
    private static final int NUMBER = 0xffff;
    /** No handler ran for the call. */
    static final long NOT_RUN = (long) RpcHeader.NOT_RUN << FLAGS;

    private Marks() {
    }

    /** Returns those of a declared exception. */
    static long ofThrown(int number) {
        return number & NUMBER | (long) RpcHeader.THROWN << FLAGS;
    }

    /** Returns the number of the declared exception, 0 for none. */
    public static int thrown(long marks) {
        return (int) marks & NUMBER;
    }

    /** Returns the flags of the answer's header. */
    public static int flags(long marks) {
        return (int) (marks >>> FLAGS) & 0xff;
    }
}
