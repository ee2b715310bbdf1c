package org.jvrpc.samples.containers;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jvrpc.api.RpcException;
import org.jvrpc.runtime.IdleStrategy;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.samples.quickstart.Orders;

/**
 * Calls a book of orders about each millisecond, whatever becomes of it, and says when answers stop and when they come
 * again: what users see of a container that moves. Arguments: address, seconds.
 */
public final class Pulse {

    private static final long REST_NS = 1_000_000;
    private static final Duration DEADLINE = Duration.ofMillis(250);
    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(20);

    private long answered;
    private long failed;
    private long lastMs;
    private boolean silent;

    private Pulse() {
    }

    /** Runs. */
    public static void main(String[] args) {
        if (args.length != 2) {
            System.err.println("pulse: arguments: ADDRESS SECONDS");
            System.exit(2);
        }
        long endNs = System.nanoTime() + Duration.ofSeconds(Integer.parseInt(args[1])).toNanos();
        Pulse pulse = new Pulse();
        try (RpcClient client = RpcClient.builder(args[0]).idle(IdleStrategy.BLOCK).deadline(DEADLINE)
                .connectTimeout(CONNECT_LIMIT).connect()) {
            Orders orders = stub(client);
            while (System.nanoTime() - endNs < 0) {
                pulse.beat(orders);
                LockSupport.parkNanos(REST_NS);
            }
        } catch (RpcException e) {
            System.out.println("pulse: " + e.getMessage());
            System.exit(1);
        }
        System.out.println("pulse: answered=" + pulse.answered + " failed=" + pulse.failed);
    }

    /** Opens the service; on a busy host that takes longer than a call may. */
    private static Orders stub(RpcClient client) {
        long endNs = System.nanoTime() + CONNECT_LIMIT.toNanos();
        while (true) {
            try {
                return client.stub(Orders.class);
            } catch (RpcException e) {
                if (System.nanoTime() - endNs > 0) {
                    throw e;
                }
            }
        }
    }

    private void beat(Orders orders) {
        try {
            orders.snapshot("PULSE");
            long nowMs = System.currentTimeMillis();
            if (answered++ == 0) {
                say("pulse: first answer");
            } else if (silent) {
                say("pulse: answered at=" + nowMs + " silent_ms=" + (nowMs - lastMs));
            }
            silent = false;
            lastMs = nowMs;
        } catch (RpcException e) {
            failed++;
            if (!silent && answered > 0) {
                silent = true;
                say("pulse: silent since=" + lastMs + " " + e.status());
            }
        }
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
