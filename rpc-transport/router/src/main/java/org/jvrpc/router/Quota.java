package org.jvrpc.router;

/**
 * What one tenant may have at a time, and in a second.
 *
 * @param bytes of slabs, that is of all its registered memory and rings
 * @param bytesPerSecond 0: no limit, so with the other rates
 * @param offloadWqesPerSecond of chains, which the router executes
 * @param weight 1 to 100: its share while others are busy, too
 */
public record Quota(int devices, int qps, int cqs, int regions, long bytes, int connections, int listeners,
        long bytesPerSecond, long wqesPerSecond, long offloadWqesPerSecond, int weight) {

    /** 64 devices, 4,096 QPs and CQs, 256 MiB, 1,024 connections, no limit of rate but 1,000,000 WQEs of chains. */
    public static final Quota DEFAULT = new Quota(64, 4096, 4096, 2046, 256L << 20, 1024, 64, 0, 0, 1_000_000, 10);

    private static final int MOST_HALF_OPEN = 64;
    /** Each takes a descriptor of the router. */
    private static final int MOST_SLABS = 1024;
    private static final int MOST_WEIGHT = 100;

    /** @throws IllegalArgumentException when one is negative, or the weight is not 1 to 100 */
    public Quota {
        if (Math.min(Math.min(devices, qps), Math.min(cqs, regions)) < 0 || Math.min(connections, listeners) < 0
                || Math.min(Math.min(bytes, bytesPerSecond), Math.min(wqesPerSecond, offloadWqesPerSecond)) < 0
                || weight < 1 || weight > MOST_WEIGHT) {
            throw new IllegalArgumentException("devices=" + devices + " qps=" + qps + " cqs=" + cqs + " regions="
                    + regions + " bytes=" + bytes + " connections=" + connections + " listeners=" + listeners
                    + " bytesPerSecond=" + bytesPerSecond + " wqesPerSecond=" + wqesPerSecond
                    + " offloadWqesPerSecond=" + offloadWqesPerSecond + " are at least 0, weight=" + weight
                    + " is 1 to " + MOST_WEIGHT);
        }
    }

    /** Returns the limit of what is had at a time. */
    public long of(QuotaKind kind) {
        return switch (kind) {
            case DEVICES -> devices;
            case QPS -> qps;
            case CQS -> cqs;
            case REGIONS -> regions;
            case BYTES -> bytes;
            case CONNECTIONS -> connections;
            case LISTENERS -> listeners;
            case HALF_OPEN -> MOST_HALF_OPEN;
            case SLABS -> MOST_SLABS;
        };
    }
}
