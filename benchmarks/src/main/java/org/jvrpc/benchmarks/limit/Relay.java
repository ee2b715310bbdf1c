package org.jvrpc.benchmarks.limit;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import org.jvrpc.benchmarks.harness.ServerEnd;
import org.jvrpc.benchmarks.harness.ThirdEnd;

/**
 * The bare limit of a call by a third process: two ping-pongs, of which the third process is the server of one and the
 * client of the other. Four cache lines travel, in two files; the client and the server have none in common. All three
 * wait in the same way.
 */
public final class Relay {

    private static final String CLIENTS = "client-lines";
    private static final String SERVERS = "server-lines";

    private Relay() {
    }

    /** What a thread does while its line does not change. */
    public enum Waiting {
        /** It spins. */
        SPIN,
        /** It leaves its processor to others between two looks. */
        YIELD,
        /** It spins {@link #PATIENCE} times, and then leaves its processor to others between two looks. */
        SPIN_YIELD,
        /** It spins as often, and then sleeps for as short as the system lets it between two looks. */
        PARK;

        private static final int PATIENCE = 64;

        void await(Lines lines, int offset, long value) {
            int spins = 0;
            while (lines.load(offset) != value) {
                if (this == SPIN || this != YIELD && ++spins < PATIENCE) {
                    Thread.onSpinWait();
                } else if (this == PARK) {
                    LockSupport.parkNanos(1);
                } else {
                    Thread.yield();
                }
            }
        }
    }

    /** What an end does over and over. */
    private interface Step {
        void take(long number);
    }

    private static void loop(String name, Step step) {
        Thread thread = new Thread(() -> {
            for (long number = 1;; number++) {
                step.take(number);
            }
        }, name);
        thread.setDaemon(true); // it ends with its process, wherever it waits
        thread.start();
    }

    /** Passes pings and pongs on. */
    public static final class Middle implements ThirdEnd {

        private final Waiting waiting;

        /** The process between. */
        public Middle(Waiting waiting) {
            this.waiting = waiting;
        }

        @Override
        public void start(Path directory) throws IOException {
            Lines client = Lines.map(directory.resolve(CLIENTS), 0);
            Lines server = Lines.map(directory.resolve(SERVERS), 0);
            loop("relay", number -> {
                waiting.await(client, Lines.PING, number);
                server.publish(Lines.PING, number);
                waiting.await(server, Lines.PONG, number);
                client.publish(Lines.PONG, number);
            });
        }

        @Override
        public void close() {
        }
    }

    /** Answers each ping that is passed on. */
    public static final class Server implements ServerEnd {

        private final Waiting waiting;

        /** The server. */
        public Server(Waiting waiting) {
            this.waiting = waiting;
        }

        @Override
        public String start(Path directory, int clients) throws IOException {
            Lines lines = Lines.map(directory.resolve(SERVERS), 0);
            loop("server", number -> {
                waiting.await(lines, Lines.PING, number);
                lines.publish(Lines.PONG, number);
            });
            return directory.resolve(CLIENTS).toString();
        }

        @Override
        public void close() {
        }
    }

    /** Sends pings. */
    public static final class Client extends LineClient {

        private final Waiting waiting;

        /** The client. */
        public Client(Waiting waiting) {
            this.waiting = waiting;
        }

        @Override
        void await(Lines mapped, long value) {
            waiting.await(mapped, Lines.PONG, value);
        }
    }
}
