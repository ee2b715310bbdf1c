package org.jvrpc.benchmarks.redn;

import org.jvrpc.benchmarks.harness.ClientEnd;
import org.jvrpc.benchmarks.harness.Operation;
import org.jvrpc.benchmarks.harness.Pipeline;
import org.jvrpc.benchmarks.harness.Workload;
import org.jvrpc.offload.lookup.LookupKind;
import org.jvrpc.offload.lookup.OffloadClient;
import org.jvrpc.offload.lookup.Outcome;
import org.jvrpc.offload.table.Bucket;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;

/**
 * Asks for keys in an order that looks random, one after the other. A workload's place says where they are: 0 anywhere,
 * else in the bucket, or node, of that number from 1 on.
 */
public final class LookupClient implements ClientEnd {

    private static final long TIMEOUT_NS = 1_000_000_000;

    private Device device;
    private OffloadClient client;

    @Override
    public void connect(String address, int index) {
        device = Devices.open(address);
        client = OffloadClient.connect(device, address, LookupServer.NAME, LookupData.VALUE_BYTES,
                device.createChannel(), 10 * TIMEOUT_NS);
    }

    @Override
    public Operation operation(Workload workload) {
        if (workload.kind() != Workload.Kind.LOOKUP) {
            throw workload.unsupported();
        }
        return new Lookup(client, workload.size());
    }

    @Override
    public Pipeline pipeline() {
        Lookup lookup = new Lookup(client, 0);
        return (window, endNs) -> {
            long count = 0;
            do {
                for (int i = 0; i < 64; i++) {
                    lookup.before();
                    lookup.call();
                    lookup.after();
                }
                count += 64;
            } while (System.nanoTime() < endNs);
            return count;
        };
    }

    @Override
    public void close() {
        if (client != null) {
            client.close();
        }
        if (device != null) {
            device.close();
        }
    }

    private static final class Lookup extends Operation {

        private final OffloadClient client;
        private final boolean isWalk;
        private final int places;
        private final int place;
        private final long base;
        private int state = 1;
        private int index;
        private long key;
        private Outcome outcome;

        Lookup(OffloadClient client, int place) {
            this.client = client;
            this.isWalk = client.kind() == LookupKind.LIST_WALK || client.kind() == LookupKind.LIST_WALK_BREAK;
            this.places = isWalk ? LookupData.NODES : 2;
            this.place = place;
            this.base = client.header();
        }

        @Override
        public void before() {
            state = state * 1_103_515_245 + 12_345;
            index = (state >>> 12) % LookupData.KEYS;
            if (place > 0) {
                index = index / places * places + place - 1;
            }
            key = LookupData.key(index);
        }

        @Override
        public void call() {
            if (isWalk) {
                outcome = client.listWalk(key, base + LookupData.list(index), TIMEOUT_NS);
            } else {
                long pair = base + LookupData.pair(index);
                outcome = client.hashGet(Bucket.image(key), pair, pair + Bucket.BYTES, TIMEOUT_NS);
            }
        }

        @Override
        public void after() {
            if (outcome != Outcome.FOUND || client.answer().getLong(8) != key * 31) {
                throw new IllegalStateException("outcome=" + outcome + " key=0x" + Long.toHexString(key) + " value="
                        + client.answer().getLong(8) + " wanted=" + key * 31);
            }
        }
    }
}
