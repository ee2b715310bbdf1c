package org.jvrpc.samples.zookeeper;

import java.time.Duration;

/**
 * Where jvRPC serves for a ZooKeeper address: a template that both sides read from the property
 * {@value #PROPERTY}, with {@code {host}} and {@code {port}} of ZooKeeper's own address in it.
 */
public final class JvrpcAddress {

    /** The property that holds the template. */
    public static final String PROPERTY = "jvrpc.zookeeper.address";
    /** The template where none is given: a server of this host, found by its client port. */
    public static final String DEFAULT = "shm://zookeeper-{port}";

    /** The property that lets a client, by {@code tcp}, speak to servers without jvRPC by TCP. */
    public static final String FALLBACK = "jvrpc.zookeeper.fallback";
    /** The property that says how many microseconds a thread polls before it sleeps. */
    public static final String SPIN_PROPERTY = "jvrpc.zookeeper.spinMicros";
    private static final long SPIN_MICROS = 50;

    private JvrpcAddress() {
    }

    /** Returns how long a thread polls before it sleeps: both sides, as {@value #SPIN_PROPERTY} says, 50 us without. */
    public static Duration spin() {
        return Duration.ofNanos(1000 * Math.max(0, Long.getLong(SPIN_PROPERTY, SPIN_MICROS)));
    }

    /** Reads {@link #FALLBACK}. @throws IllegalArgumentException for what it may not be */
    public static boolean fallsBack(String value) {
        if (value == null || value.isBlank() || value.equals("none")) {
            return false;
        }
        if (value.equals("tcp")) {
            return true;
        }
        throw new IllegalArgumentException(FALLBACK + "=" + value + ", may be tcp or none");
    }

    /**
     * Fills a template in.
     *
     * @param template null for {@link #DEFAULT}
     * @throws IllegalArgumentException when the template has no port: all servers of a host would be one
     */
    public static String of(String template, String host, int port) {
        String chosen = template == null || template.isBlank() ? DEFAULT : template;
        if (!chosen.contains("{port}")) {
            throw new IllegalArgumentException(PROPERTY + "=" + chosen + " has no {port}, such as in " + DEFAULT);
        }
        return chosen.replace("{host}", host).replace("{port}", Integer.toString(port));
    }
}
