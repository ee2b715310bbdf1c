package org.jvrpc.softrnic.roce.socket;

import java.util.SplittableRandom;
import org.jvrpc.verbs.VerbsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What experiments change of the nodes that a process opens, by system properties: {@code jvrpc.roce.mtu} (payload of a
 * packet at most: 256, 512, 1024, 2048 or 4096), {@code jvrpc.roce.loss} (part of the packets of QPs that are lost
 * before they leave, 0 to 1), {@code jvrpc.roce.seed} (of that chance), {@code jvrpc.roce.go-back-0} ({@code true}:
 * what is lost has its whole message sent again, as early cards did; both sides need it). Any thread.
 */
public final class Trial {

    static final String MTU = "jvrpc.roce.mtu";
    static final String LOSS = "jvrpc.roce.loss";
    static final String SEED = "jvrpc.roce.seed";
    static final String GO_BACK_0 = "jvrpc.roce.go-back-0";

    private static final Logger LOG = LoggerFactory.getLogger(Trial.class);

    private final int mtu;
    private final double loss;
    private final boolean goBackZero;
    private final SplittableRandom random;

    private Trial(int mtu, double loss, long seed, boolean goBackZero) {
        this.mtu = mtu;
        this.loss = loss;
        this.goBackZero = goBackZero;
        this.random = new SplittableRandom(seed);
    }

    /** Reads the properties. @throws VerbsException for values that are none */
    public static Trial read() {
        String given = System.getProperty(MTU, Integer.toString(NodeSocket.MOST_MTU));
        if (!given.matches("256|512|1024|2048|4096")) {
            throw refusal(MTU, given, "256, 512, 1024, 2048 or 4096");
        }
        double loss = loss();
        long seed = seed();
        String zero = System.getProperty(GO_BACK_0, "false");
        if (!zero.equals("true") && !zero.equals("false")) {
            throw refusal(GO_BACK_0, zero, "true or false");
        }
        if (loss > 0) {
            LOG.warn("packets are lost on purpose: -D{}={} -D{}={}", LOSS, loss, SEED, seed);
        }
        return new Trial(Integer.parseInt(given), loss, seed, zero.equals("true"));
    }

    private static double loss() {
        String given = System.getProperty(LOSS, "0");
        try {
            double loss = Double.parseDouble(given);
            if (loss >= 0 && loss <= 1) {
                return loss;
            }
        } catch (NumberFormatException e) {
            // as out of range
        }
        throw refusal(LOSS, given, "0 to 1");
    }

    private static long seed() {
        String given = System.getProperty(SEED, Long.toString(System.nanoTime()));
        try {
            return Long.parseLong(given);
        } catch (NumberFormatException e) {
            throw refusal(SEED, given, "a whole number");
        }
    }

    private static VerbsException refusal(String property, String given, String expected) {
        return new VerbsException("open_device", property + "=" + given + " expected=" + expected);
    }

    /** Returns the longest payload of a packet. */
    public int mtu() {
        return mtu;
    }

    public boolean goBackZero() {
        return goBackZero;
    }

    /** Returns true for a packet that is to be lost. */
    public boolean loses() {
        return loss > 0 && draw();
    }

    private synchronized boolean draw() {
        return random.nextDouble() < loss;
    }
}
