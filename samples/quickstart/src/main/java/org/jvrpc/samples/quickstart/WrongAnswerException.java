package org.jvrpc.samples.quickstart;

/** An answer other than the one that this client's own calls entitle it to. */
final class WrongAnswerException extends Exception {

    private static final long serialVersionUID = 1L;

    WrongAnswerException(String call, Object expected, Object got) {
        super(call + ": expected " + expected + ", got " + got);
    }
}
