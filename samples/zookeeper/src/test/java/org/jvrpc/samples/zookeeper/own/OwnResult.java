package org.jvrpc.samples.zookeeper.own;

/**
 * How a test class ended.
 *
 * @param passed tests
 * @param skipped by ZooKeeper's own assumptions
 * @param failed tests, or 1 when the class did not end
 * @param text names of the failed tests, or what happened
 * @param seconds wall time
 */
record OwnResult(int passed, int skipped, int failed, String text, long seconds) {

    /** Reads the output of {@link OneClass}. */
    static OwnResult of(String output, long seconds) {
        int at = output.lastIndexOf(OneClass.RESULT);
        if (at < 0) {
            return new OwnResult(0, 0, 1, "the JVM ended without a result", seconds);
        }
        String[] words = output.substring(at + OneClass.RESULT.length()).trim().split(" ", 4);
        return new OwnResult(Integer.parseInt(words[0]), Integer.parseInt(words[1]), Integer.parseInt(words[2]),
                words.length > 3 ? words[3] : "", seconds);
    }

    boolean isGood() {
        return failed == 0 && passed > 0;
    }

    @Override
    public String toString() {
        return (isGood() ? "ok    " : "BAD   ") + passed + " passed, " + skipped + " skipped, " + failed + " failed, "
                + seconds + " s" + (text.isEmpty() ? "" : ": " + text);
    }
}
