package org.jvrpc.runtime.balance;

import java.util.Arrays;
import java.util.List;

/**
 * Consistent hashing. Each server has points on a ring of 64 bits, as many as its share of the weights, found by the
 * hashes of its id and a number; a key's server has the next point. A server that goes leaves its keys to those behind
 * its points, all others stay.
 */
final class RingHash implements LoadBalancingPolicy {

    /** Points in all, about; a server has one at least. */
    static final int POINTS = 1 << 13;
    /** Of one server: few servers have no more than they need to be even. */
    static final int MOST_OF_ONE = 512;

    @Override
    public ServerPicker picker(List<Candidate> ready) {
        long weights = ready.stream().mapToLong(server -> server.entry().weight()).sum();
        long points = Math.min(POINTS, (long) MOST_OF_ONE * ready.size());
        Ring ring = new Ring(ready.size(), (int) points + ready.size());
        for (int i = 0; i < ready.size(); i++) {
            long share = points * ready.get(i).entry().weight() / weights;
            ring.add(i, KeyHash.of(ready.get(i).entry().id()), Math.max(1, (int) share));
        }
        ring.sort();
        return ring;
    }

    /** Points in order; the lowest bits of each are the number of its server. */
    private static final class Ring implements ServerPicker {

        private final int bits;
        private long[] points;
        private int size;

        Ring(int servers, int most) {
            this.bits = Integer.SIZE - Integer.numberOfLeadingZeros(servers);
            this.points = new long[most];
        }

        void add(int server, long seed, int count) {
            for (int i = 0; i < count; i++) {
                points[size++] = KeyHash.mix(seed + i * KeyHash.GOLDEN) >>> bits << bits | server;
            }
        }

        void sort() {
            points = Arrays.copyOf(points, size);
            Arrays.sort(points);
        }

        @Override
        public int pick(long hash) {
            int found = Arrays.binarySearch(points, hash);
            int at = found >= 0 ? found : -found - 1;
            return (int) points[at == points.length ? 0 : at] & (1 << bits) - 1;
        }
    }
}
