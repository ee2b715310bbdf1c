package org.jvrpc.watch.rperf.control;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.jvrpc.watch.probe.ProbeKeys;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An agent's side: takes commands and runs measurements, one at a time. Threads: one, and one a connection. */
public final class ControlServer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ControlServer.class);
    private static final int MOST_CONNECTIONS = 16;
    /** For what proves that a client has the key: until then it has the place of one that does. */
    private static final int FIRST_MS = 5_000;
    private static final int SILENCE_MS = 60_000;

    private final ServerSocket socket;
    private final ProbeKeys keys;
    private final String device;
    private final Measurement.Maker maker;
    private final int firstMs;
    private final Semaphore places = new Semaphore(MOST_CONNECTIONS);
    private final Semaphore busy = new Semaphore(1);
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    private ControlServer(ServerSocket socket, ProbeKeys keys, String device, Measurement.Maker maker,
            int firstMs) {
        this.firstMs = firstMs;
        this.socket = socket;
        this.keys = keys;
        this.device = device;
        this.maker = maker;
    }

    /**
     * Begins to listen.
     *
     * @param device that others measure to
     * @throws IOException when the address cannot be had
     */
    public static ControlServer open(InetSocketAddress at, ProbeKeys keys, String device, Measurement.Maker maker)
            throws IOException {
        return open(at, keys, device, maker, FIRST_MS);
    }

    static ControlServer open(InetSocketAddress at, ProbeKeys keys, String device, Measurement.Maker maker, int firstMs)
            throws IOException {
        ServerSocket socket = new ServerSocket();
        try {
            socket.bind(at, MOST_CONNECTIONS);
        } catch (IOException e) {
            socket.close();
            throw new IOException("no TCP socket at " + at + ": " + e.getMessage(), e);
        }
        ControlServer server = new ControlServer(socket, keys, device, maker, firstMs);
        server.thread("rperf-control", server::listen).start();
        return server;
    }

    private Thread thread(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        return thread;
    }

    /** Returns the port that was taken. */
    public int port() {
        return socket.getLocalPort();
    }

    private void listen() {
        while (!closed) {
            try {
                Socket next = socket.accept();
                if (!places.tryAcquire()) {
                    next.close(); // it may try again
                    continue;
                }
                open.add(next);
                thread("rperf-control-" + next.getPort(), () -> serve(next)).start();
            } catch (IOException e) {
                if (!closed) {
                    LOG.warn("rperf takes no connection: {}", e.getMessage());
                    pause();
                }
            }
        }
    }

    /** Out of files, perhaps: that does not get better at once. */
    private static void pause() {
        try {
            Thread.sleep(100);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void serve(Socket from) {
        Session session = new Session();
        try (from) {
            from.setTcpNoDelay(true);
            SealedLines lines = new SealedLines(from, keys, true, System::nanoTime);
            lines.within(firstMs);
            lines.greet();
            while (!closed) {
                String command = lines.read();
                lines.write(session.answer(command));
                lines.within(SILENCE_MS);
            }
        } catch (IOException e) {
            if (!closed) {
                LOG.debug("rperf's client at {} has gone: {}", from.getRemoteSocketAddress(), e.getMessage());
            }
        } finally {
            open.remove(from);
            places.release();
            session.end(); // last: a device that is lost may throw
        }
    }

    /** What one client has begun. */
    private final class Session {

        private Measurement measurement;
        private boolean started;

        String answer(String command) {
            int space = command.indexOf(' ');
            String verb = space < 0 ? command : command.substring(0, space);
            try {
                return switch (verb) {
                    case "info" -> "ok " + new Fields().put("device", device);
                    case "prepare" -> prepare(Fields.parse(space < 0 ? "" : command.substring(space + 1)));
                    case "start" -> start();
                    case "stop" -> {
                        prepared().stop();
                        yield "ok";
                    }
                    case "result" -> result();
                    default -> throw new IllegalArgumentException(
                            "no such command; there are info, prepare, start, stop, result");
                };
            } catch (RuntimeException e) { // also the device's
                return "error " + new Fields().put("why", String.valueOf(e.getMessage()));
            }
        }

        private Measurement prepared() {
            if (measurement == null) {
                throw new IllegalStateException("nothing is prepared");
            }
            return measurement;
        }

        private String prepare(Fields fields) {
            Order order = Order.of(fields);
            end();
            if (!busy.tryAcquire()) {
                throw new IllegalStateException("this agent measures for somebody else");
            }
            try {
                measurement = maker.prepare(order);
            } finally {
                if (measurement == null) {
                    busy.release();
                }
            }
            return "ok " + new Fields().put("sl", order.levelWords()); // an agent that knows none would not say so
        }

        private String start() {
            Measurement begins = prepared();
            if (started) {
                throw new IllegalStateException("it has started");
            }
            started = true;
            begins.start();
            return "ok";
        }

        private String result() {
            Measurement asked = prepared();
            var result = asked.result();
            return result == null ? "running " + new Fields().put("pairs", asked.pairs())
                    : "done " + ResultFields.write(result);
        }

        void end() {
            if (measurement != null) {
                try {
                    measurement.close();
                } finally {
                    measurement = null;
                    started = false;
                    busy.release();
                }
            }
        }
    }

    /** Ends connections and what they measure. Idempotent. */
    @Override
    public void close() {
        closed = true;
        closeQuietly(socket);
        open.forEach(ControlServer::closeQuietly);
    }

    private static void closeQuietly(AutoCloseable resource) {
        try {
            resource.close();
        } catch (Exception e) {
            LOG.debug("closing {}: {}", resource, e.toString());
        }
    }
}
