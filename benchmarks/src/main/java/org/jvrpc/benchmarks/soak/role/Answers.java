package org.jvrpc.benchmarks.soak.role;

/** The right answers. */
final class Answers {

    private Answers() {
    }

    static long of(long id, long argument) {
        long mixed = (id * 0x9E3779B97F4A7C15L) ^ argument;
        return (mixed ^ mixed >>> 29) * 0xBF58476D1CE4E5B9L;
    }

    static byte[] of(long id, byte[] body) {
        byte[] changed = new byte[body.length];
        byte key = (byte) of(id, body.length);
        for (int i = 0; i < changed.length; i++) {
            changed[i] = (byte) (body[i] + key);
        }
        return changed;
    }

    static String refusal(long id) {
        return "no " + Long.toHexString(id);
    }
}
