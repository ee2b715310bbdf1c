package org.jvrpc.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.contract.Bytes;
import org.jvrpc.runtime.contract.Calls;
import org.jvrpc.runtime.contract.CallsImpl;

/** Calls of every size, each of which has to be executed once and come back whole; of either kind of device. */
final class RoceRxeCalls {

    private static final int THREADS = 2;
    private static final int ROUNDS = 40;
    private static final int HEAVY_BYTES = 300_000;

    private RoceRxeCalls() {
    }

    /** Serves what {@link #call} calls. */
    static void count(CallsImpl impl) {
        impl.callBack = depth -> impl.calls.get();
    }

    /** Calls a server, of which nobody else is a client. */
    static void call(String address, long seed) {
        try (RpcClient client = RemovalRoles.connect(address)) {
            Calls calls = client.stub(Calls.class);
            List<CompletableFuture<Boolean>> threads = new ArrayList<>();
            for (int t = 0; t < THREADS; t++) {
                SplittableRandom random = new SplittableRandom(seed + t);
                threads.add(Await.start(() -> call(calls, random)));
            }
            threads.forEach(Await::join);
            byte[] heavy = Bytes.of(HEAVY_BYTES, (int) seed);
            Bytes.assertSame(heavy, calls.echoHeavy(heavy), "a heavy echo");
            assertEquals(THREADS * ROUNDS, calls.callBack(0), "calls of nothing that the server executed");
        }
    }

    private static boolean call(Calls calls, SplittableRandom random) {
        for (int i = 0; i < ROUNDS; i++) {
            int length = random.nextInt(8) == 0 ? random.nextInt(40_000) : random.nextInt(200);
            byte[] body = Bytes.of(length, random.nextInt());
            Bytes.assertSame(body, calls.echo(body), "echo of round=" + i);
            assertEquals(i + 7L, calls.add(i, 7));
            calls.nothing();
        }
        return true;
    }
}
