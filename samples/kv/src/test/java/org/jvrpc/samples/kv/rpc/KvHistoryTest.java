package org.jvrpc.samples.kv.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.jvrpc.samples.kv.memcache.MemcacheServer;
import org.jvrpc.samples.kv.memcache.ServerSettings;
import org.jvrpc.samples.kv.rpc.KvCounts.Answered;
import org.jvrpc.samples.kv.store.Counter;
import org.jvrpc.samples.kv.store.StoreResult;
import org.jvrpc.samples.kv.store.StoreSettings;
import org.jvrpc.testing.history.Register;

/** Clients of every way on the same few items at once: one order of all they did explains every answer. */
class KvHistoryTest {

    private static final int OPERATIONS = 400;
    private static final int WRITES = 40;
    private static final int LEAST_ROUNDS = 4;
    private static final int MOST_ROUNDS = 40;
    private static final int LEAST_DIRECT = 100;
    private static final int EVICTIONS = 20_000;

    private static List<String> keys(int round) {
        return List.of("a" + round, "b" + round, "c" + round);
    }

    /** How gets without calls were answered so. */
    private static boolean enough(List<RpcDoor> doors) {
        return doors.stream().allMatch(door -> door.client.counts().get(Answered.DIRECT) >= LEAST_DIRECT);
    }

    private static void everyWay(StoreSettings settings, boolean others) throws IOException {
        Registers registers = new Registers();
        SplittableRandom random = new SplittableRandom(registers.seed);
        try (KvFixture kv = new KvFixture(settings);
                MemcacheServer server = MemcacheServer.start(kv.store, ServerSettings.ofPort(0));
                MemcacheDoor memcache = new MemcacheDoor(server.port());
                RpcDoor rpc = new RpcDoor(kv.client(KvWay.RPC));
                RpcDoor read = new RpcDoor(kv.client(KvWay.ONE_SIDED));
                RpcDoor read2 = new RpcDoor(kv.client(KvWay.ONE_SIDED));
                RpcDoor program = new RpcDoor(kv.client(KvWay.OFFLOAD));
                RpcDoor program2 = new RpcDoor(kv.client(KvWay.OFFLOAD));
                KvClient filler = kv.client(KvWay.RPC)) {
            List<RpcDoor> direct = List.of(read, read2, program, program2);
            List<Door> doors = Stream.concat(direct.stream(), Stream.of(memcache, rpc)).toList();
            for (int round = 0; round < LEAST_ROUNDS || !enough(direct) && round < MOST_ROUNDS; round++) {
                List<String> keys = keys(round);
                List<Runnable> all = new ArrayList<>();
                for (Door door : doors) {
                    SplittableRandom own = random.split();
                    String who = (door instanceof RpcDoor ? "rpc-" : "memcache-") + doors.indexOf(door);
                    all.add(() -> registers.run(door, who, keys, own, OPERATIONS, WRITES));
                }
                int from = round * OPERATIONS;
                all.add(() -> {
                    for (int i = from; others && i < from + OPERATIONS; i++) {
                        filler.set(Door.bytes("other" + i), new byte[i % 200], 0, 0);
                    }
                });
                registers.together(all);
            }
            assertTrue(enough(direct), registers::named);
            assertTrue(!others || kv.store.statistics().offloadEntries() > 1000, "the index has grown");
        }
        registers.check(Register.empty(), 20, "get number", "get absent", "set done", "add done", "add refused",
                "swap done", "swap refused", "delete done");
    }

    @Test
    void everyWayAtOnceWhileTheIndexesGrow() throws IOException {
        everyWay(StoreSettings.ofMemory(16 << 20).withBuckets(64, 64), true);
    }

    @Test
    void everyWayAtOnceWhereChunksAreUsedAgainAtOnce() throws IOException {
        everyWay(StoreSettings.ofMemory(16 << 20).withGraceNs(0), false);
    }

    /** In a full store every item is evicted some time. Nothing is deleted here: what is absent was evicted. */
    @Test
    void anItemThatWasEvictedDoesNotComeBack() {
        Registers registers = new Registers().ofOneSizeWithoutDeletes();
        SplittableRandom random = new SplittableRandom(registers.seed);
        try (KvFixture kv = new KvFixture(StoreSettings.ofMemory(StoreSettings.MIN_MEMORY).withGraceNs(0));
                RpcDoor rpc = new RpcDoor(kv.client(KvWay.RPC));
                RpcDoor read = new RpcDoor(kv.client(KvWay.ONE_SIDED));
                RpcDoor program = new RpcDoor(kv.client(KvWay.OFFLOAD))) {
            List<RpcDoor> doors = List.of(rpc, read, program);
            for (int round = 0; round < LEAST_ROUNDS || registers.count("get absent") < 10 && round < MOST_ROUNDS;
                    round++) {
                List<String> keys = keys(round);
                keys.forEach(key -> registers.step(rpc, "first", key, new Register.Set(registers.next())));
                List<Runnable> all = new ArrayList<>();
                for (RpcDoor door : doors) {
                    SplittableRandom own = random.split();
                    all.add(() -> registers.run(door, "rpc-" + doors.indexOf(door), keys, own, OPERATIONS, WRITES));
                }
                all.add(() -> evict(kv));
                registers.together(all);
                evict(kv);
                doors.forEach(door -> keys.forEach(
                        key -> registers.step(door, "last", key, new Register.Get())));
            }
        }
        registers.check(Register.forgetful(), 10, "get number", "get absent", "set done", "swap done");
    }

    /** Stores others, of the length that the registers have, until many were evicted. */
    private static void evict(KvFixture kv) {
        long until = kv.store.statistics().get(Counter.EVICTIONS) + EVICTIONS;
        byte[] value = new byte[210];
        for (int i = 0; kv.store.statistics().get(Counter.EVICTIONS) < until; i++) {
            for (int j = 0; j < 100; j++) {
                assertEquals(StoreResult.STORED, kv.store.set(Door.bytes("o" + j + "-" + i), value, 0, 0));
            }
        }
    }
}
