package org.jvrpc.samples.kv.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.samples.kv.KvServer;
import org.jvrpc.samples.kv.rpc.KvCounts.Answered;
import org.jvrpc.samples.kv.store.StoreSettings;
import org.jvrpc.testing.ChildJvm;
import org.jvrpc.testing.JavaCommand;
import org.jvrpc.testing.Processes;
import org.jvrpc.testing.SharedMemoryFolder;
import org.jvrpc.testing.Waits;
import org.jvrpc.testing.history.History;
import org.jvrpc.testing.history.Register;

/**
 * Processes are killed at random times. What they were at is pending: it takes effect at any later time, or never, for
 * all who look alike.
 */
class KvKillHistoryTest {

    private static final int LEAST_DIRECT = 50;
    private static final int ROUNDS = 3;
    private static final int WRITES = 60;
    private static final long CHILD_NUMBERS = 1_000_000_000;

    /** Writes and reads until it is killed: ADDRESS WAY WHO SEED FIRST KEY... */
    static final class Child {

        private Child() {
        }

        public static void main(String[] arguments) {
            SplittableRandom random = new SplittableRandom(Long.parseLong(arguments[3]));
            AtomicLong numbers = new AtomicLong(Long.parseLong(arguments[4]));
            try (RpcDoor door = new RpcDoor(KvClient.connect(arguments[0], KvWay.valueOf(arguments[1])))) {
                while (true) {
                    String key = arguments[5 + random.nextInt(arguments.length - 5)];
                    Register.Call call =
                            Registers.choose(random, WRITES, door.lastSeen(key), numbers::incrementAndGet);
                    Consumer<Object> ended = History.tell(arguments[2], key, call);
                    ended.accept(door.apply(key, call));
                }
            }
        }
    }

    @Test
    void clientsAreKilledWhileTheyWrite() {
        Registers registers = new Registers();
        SplittableRandom random = new SplittableRandom(registers.seed);
        try (KvFixture kv = new KvFixture(StoreSettings.ofMemory(16 << 20).withGraceNs(0));
                RpcDoor read = new RpcDoor(kv.client(KvWay.ONE_SIDED));
                RpcDoor program = new RpcDoor(kv.client(KvWay.OFFLOAD))) {
            List<RpcDoor> doors = List.of(read, program);
            for (int round = 0; round < ROUNDS; round++) {
                List<String> keys = List.of("a" + round, "b" + round);
                List<String> arguments = new ArrayList<>(List.of(kv.address, KvWay.values()[round].name(),
                        "child-" + round, "" + random.nextLong(), "" + CHILD_NUMBERS * (round + 1)));
                arguments.addAll(keys);
                AtomicLong ended = new AtomicLong(); // of the child's operations; -1 when it is dead
                List<Runnable> all = new ArrayList<>();
                for (RpcDoor door : doors) {
                    SplittableRandom own = random.split();
                    String who = "rpc-" + doors.indexOf(door);
                    all.add(() -> {
                        for (long i = 0; ended.get() >= 0; Thread.yield()) {
                            for (; i < ended.get(); i++) {
                                registers.run(door, who, keys, own, 5, 20);
                            }
                        }
                        registers.run(door, who, keys, own, 100, 0);
                    });
                }
                int enough = 100 + random.nextInt(300);
                all.add(() -> killAfter(enough, arguments, registers.history, ended));
                registers.together(all);
            }
            doors.forEach(door -> assertTrue(door.client.counts().get(Answered.DIRECT) > 50, registers::named));
        }
        registers.check(Register.empty(), 20, "get number", "set done", "swap done", "swap refused");
    }

    private static void killAfter(int enough, List<String> arguments, History history, AtomicLong ended) {
        try (ChildJvm child = JavaCommand.of(Child.class).arguments(arguments).start()) {
            for (int i = 0; i < enough; i++) {
                child.expect("ENDED");
                ended.set(i);
            }
            child.kill();
            child.exitStatus();
            assertTrue(history.add(child.output(), Register.Call::parse, Register::answer) >= enough);
        } finally {
            ended.set(-1);
        }
    }

    private final String address = SharedMemoryFolder.freshAddress();
    private ChildJvm hull;

    /** The server, whose memory and lookups outlive it. */
    private long application() {
        return hull.handle().children().findFirst().orElseThrow(() -> new AssertionError(hull.toString())).pid();
    }

    private RpcDoor connect(KvWay way) {
        RpcDoor[] door = new RpcDoor[1];
        Waits.until("a server", () -> {
            try {
                door[0] = new RpcDoor(KvClient.connect(address, way));
                return true;
            } catch (RpcException e) {
                return false;
            }
        }, hull::toString);
        return door[0];
    }

    /** @return false when the server is dead */
    private static boolean tried(Runnable step) {
        try {
            step.run();
            return true;
        } catch (RpcException e) {
            assertEquals(Status.UNAVAILABLE, e.status(), e::getMessage);
            return false;
        }
    }

    @Test
    void theServerIsKilledWhileItWritesAndGetsWithoutItGoOn() {
        Registers registers = new Registers();
        SplittableRandom random = new SplittableRandom(registers.seed);
        hull = JavaCommand.of(KvServer.class).arguments("--hull", "-p", "0", "-a", address, "-m", "16m").start();
        try (RpcDoor writer = connect(KvWay.RPC);
                RpcDoor writer2 = connect(KvWay.RPC);
                RpcDoor read = connect(KvWay.ONE_SIDED);
                RpcDoor program = connect(KvWay.OFFLOAD)) {
            List<RpcDoor> doors = List.of(writer, writer2, read, program);
            for (int round = 0; round < ROUNDS; round++) {
                killWhileWriting(registers, random, doors, List.of("a" + round, "b" + round));
            }
            assertTrue(read.client.counts().get(Answered.DIRECT) > LEAST_DIRECT, registers::named);
            assertTrue(program.client.counts().get(Answered.DIRECT) > LEAST_DIRECT, registers::named);
        } finally {
            hull.terminate();
            hull.exitStatus();
            hull.close();
        }
        registers.check(Register.empty(), 20, "get number", "set done", "swap done");
        assertTrue(registers.outcomes().keySet().stream().anyMatch(kind -> kind.endsWith("pending")));
    }

    private void killWhileWriting(
            Registers registers, SplittableRandom random, List<RpcDoor> doors, List<String> keys) {
        AtomicLong written = new AtomicLong();
        AtomicBoolean dead = new AtomicBoolean();
        AtomicIntegerArray direct = new AtomicIntegerArray(doors.size());
        List<Runnable> all = new ArrayList<>();
        for (int d = 0; d < doors.size(); d++) {
            RpcDoor door = doors.get(d);
            int place = d;
            String who = (d < 2 ? "writer-" : "reader-") + d;
            SplittableRandom own = random.split();
            all.add(d < 2 ? () -> {
                while (tried(() -> registers.step(door, who, keys.get(own.nextInt(keys.size())), own, WRITES))) {
                    written.incrementAndGet();
                }
            } : () -> {
                // One for each write: so the place of the item that is being replaced is known, some of the time.
                long before = -1;
                for (int after = 0; after < 300; after += dead.get() ? 1 : 0) {
                    if (before != written.get() || dead.get()) {
                        before = written.get();
                        tried(() -> registers.step(door, who, keys.get(own.nextInt(keys.size())), own, 0));
                        direct.set(place, (int) door.client.counts().get(Answered.DIRECT));
                    }
                    Thread.yield();
                }
            });
        }
        long pid = application();
        int after = 200 + random.nextInt(2000);
        all.add(() -> {
            try {
                // Writers are quick, and places that readers know mostly old: how many are found depends on turns.
                Waits.until("writes, and gets without the server", () -> written.get() > after
                        && direct.get(2) > LEAST_DIRECT && direct.get(3) > LEAST_DIRECT,
                        () -> "writes=" + written + " direct=" + direct);
            } finally {
                Processes.kill(pid);
                Waits.until("the end of the server", () -> !Processes.isRunning(pid));
                dead.set(true);
            }
        });
        registers.together(all);
        for (RpcDoor door : doors) {
            Waits.until("the server to be back", () -> tried(() -> door.client.service().info()), hull::toString);
        }
        for (RpcDoor door : doors) {
            for (String key : keys) {
                registers.step(door, "last", key, new Register.Get());
            }
        }
    }
}
