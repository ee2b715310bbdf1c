package org.jvrpc.runtime.service;

import org.jvrpc.runtime.session.RpcHeader;

/**
 * What an answer has beside a status and a body, in one long that is 0 for most:
 *
 * <pre>
 * number of the declared exception:16 | flags of {@link RpcHeader}:8 | 24 metadata was asked for:1 | 32 trailers:16
 * (bytes)
 * </pre>
 */
public final class Marks {

    private static final int FLAGS = 16;
    private static final int NUMBER = 0xffff;
    private static final int TRAILERS = 32;
    /** The handler asked for what is to travel beside the answer, which is not written yet. */
    public static final long RESPONSE = 1L << 24;
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

    /** Returns those of so many bytes behind the body. */
    static long ofTrailers(int bytes) {
        return (long) bytes << TRAILERS | (long) RpcHeader.TRAILERS << FLAGS;
    }

    /** Returns how many bytes lie behind the body. */
    public static int trailers(long marks) {
        return (int) (marks >>> TRAILERS);
    }

    /** Returns the flags of the answer's header. */
    public static int flags(long marks) {
        return (int) (marks >>> FLAGS) & 0xff;
    }
}
