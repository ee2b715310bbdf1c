package org.jvrpc.runtime.sim;

import java.util.concurrent.atomic.AtomicLong;

/** Runs simulations on several threads: {@code Campaign FIRST COUNT [THREADS]}; ends with 1 when one is violated. */
final class Campaign {

    private Campaign() {
    }

    public static void main(String[] args) throws InterruptedException {
        long first = Long.parseLong(args[0]);
        long count = Long.parseLong(args[1]);
        Thread[] threads = new Thread[args.length > 2 ? Integer.parseInt(args[2]) : 1];
        AtomicLong next = new AtomicLong(first);
        AtomicLong steps = new AtomicLong();
        AtomicLong failed = new AtomicLong();
        long startNs = System.nanoTime();
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> {
                for (long seed = next.getAndIncrement(); seed < first + count && failed.get() < 5;
                        seed = next.getAndIncrement()) {
                    Choices choices = Choices.seeded(seed);
                    try {
                        steps.addAndGet(Simulation.run(choices).steps());
                    } catch (Throwable t) {
                        failed.incrementAndGet();
                        System.out.println("seed " + seed);
                        t.printStackTrace(System.out);
                        System.out.println(SimulationTest.asTest(choices));
                    }
                }
            });
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        long ms = (System.nanoTime() - startNs) / 1_000_000;
        System.out.println("seeds=" + (Math.min(next.get(), first + count) - first) + " steps=" + steps + " failed="
                + failed + " ms=" + ms);
        System.exit(failed.get() == 0 ? 0 : 1);
    }
}
