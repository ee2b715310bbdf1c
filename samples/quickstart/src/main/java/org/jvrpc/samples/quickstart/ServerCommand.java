package org.jvrpc.samples.quickstart;

import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.verbs.VerbsException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code run server}: serves a book until Ctrl-C, or as the child of the client until the client's process ends. */
@Command(name = "server")
final class ServerCommand implements Callable<Integer> {

    /** A Ctrl-C reaches both processes: the child goes on serving until the client has ended, but no longer. */
    private static final long PARENT_SECONDS = 4;
    private static final int NAMES = 64;

    private final OrderBook book = new OrderBook(ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE));
    private final CountDownLatch parentGone = new CountDownLatch(1);

    @Mixin
    private Options.Both options;

    @Option(names = "--with-parent", hidden = true)
    private boolean withParent;

    private RpcServer server;

    @Override
    public Integer call() throws Exception {
        server = withParent && options.address() == null ? startAnywhere()
                : start(options.address() == null ? Options.ADDRESS : options.address());
        Runtime.getRuntime().addShutdownHook(new Thread(this::interrupted, "quickstart-end"));
        if (withParent) {
            System.out.println(server.address());
            awaitEndOfInput();
            parentGone.countDown();
        } else {
            System.out.printf("Serving Orders at %s, process %d. Ctrl-C ends it.%n", server.address(),
                    ProcessHandle.current().pid());
            new CountDownLatch(1).await();
        }
        server.close();
        return 0;
    }

    private RpcServer start(String address) {
        return RpcServer.builder().bind(address).service(Orders.class, book).idle(options.idle())
                .reflection(true).admin(true).start();
    }

    /** At the first name of a few that nobody has. */
    private RpcServer startAnywhere() {
        for (int number = 1;; number++) {
            try {
                return start(Options.ADDRESS + "-" + number);
            } catch (VerbsException e) {
                if (number == NAMES) {
                    throw e;
                }
            }
        }
    }

    private static void awaitEndOfInput() throws IOException {
        while (System.in.read() >= 0) {
            continue;
        }
    }

    private void interrupted() {
        if (!withParent) {
            server.close();
            System.out.println("\nThe book took " + Text.count(book.placed()) + " orders and "
                    + Text.count(book.ticks()) + " prices.");
            System.out.flush();
            Runtime.getRuntime().halt(0);
        }
        try {
            parentGone.await(PARENT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        server.close();
    }
}
