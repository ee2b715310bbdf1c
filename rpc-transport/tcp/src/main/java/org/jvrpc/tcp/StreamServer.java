package org.jvrpc.tcp;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.UnknownHostException;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jvrpc.runtime.session.Undo;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.runtime.thread.Events;
import org.jvrpc.runtime.transport.ControlThread;
import org.jvrpc.runtime.transport.ServerTransport;
import org.jvrpc.runtime.transport.Transport;
import org.jvrpc.tcp.link.StreamEvents;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.VerbsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How a server is found by streams: the socket at which it listens, and who is about to connect. Any thread. */
final class StreamServer implements ServerTransport {

    private static final Logger LOG = LoggerFactory.getLogger(StreamServer.class);
    private static final int BACKLOG = 1024;

    /** How long a listener's descriptor may take to go, and between two looks whether it has. */
    private static final long RELEASE_NS = 2_000_000_000;
    private static final long PAUSE_NS = 50_000;

    private final Server server;
    private final Clock clock;
    private final Function<String, StreamAddress> parser;
    private final List<StreamEvents> events = new ArrayList<>();
    private final StreamEvents arrivals;
    private final Doorway doorway;
    private final ControlThread control;
    private volatile ServerSocketChannel listener;
    private volatile StreamAddress place;
    private volatile String address;

    /** @param parser of addresses of its kind */
    StreamServer(Server server, Transport.Setup setup, Function<String, StreamAddress> parser) {
        this.server = server;
        this.clock = setup.environment().clock();
        this.parser = parser;
        Undo undo = new Undo();
        try {
            this.arrivals = undo.keep(new StreamEvents());
            for (int i = 0; i < setup.threads(); i++) {
                events.add(undo.keep(new StreamEvents()));
            }
            listen(setup.address());
        } catch (RuntimeException e) {
            undo.run();
            throw e;
        }
        this.doorway = new Doorway(server, this::place, setup, arrivals, events);
        this.control = new ControlThread(setup.thread(), new Control(), arrivals, setup.environment());
    }

    /** What the control thread does for the server. */
    private final class Control implements ControlThread.Server {

        @Override
        public int accept(int most) {
            int count = 0;
            try {
                ServerSocketChannel now = listener;
                for (SocketChannel next = next(now); next != null; next = count < most ? next(now) : null) {
                    count++;
                    doorway.enter(next);
                }
            } catch (IOException e) {
                if (listener != null) { // else it was closed just now
                    throw new UncheckedIOException(e);
                }
            }
            return count;
        }

        private SocketChannel next(ServerSocketChannel now) throws IOException {
            return now == null ? null : now.accept();
        }

        @Override
        public boolean settle() {
            return doorway.look();
        }

        @Override
        public void leave() {
            doorway.close();
        }

        @Override
        public void deviceIsGone() {
            server.deviceIsGone();
        }
    }

    @Override
    public void start() {
        control.start();
    }

    @Override
    public Device device() {
        return null;
    }

    @Override
    public Events events(int thread) {
        return events.get(thread);
    }

    @Override
    public String address() {
        return address;
    }

    private StreamAddress place() {
        return place;
    }

    @Override
    public void listen(String bindAddress) {
        StreamAddress parsed = parser.apply(bindAddress);
        ServerSocketChannel channel = null;
        try {
            channel = parsed.listen(BACKLOG);
            channel.configureBlocking(false);
            arrivals.register(channel, SelectionKey.OP_ACCEPT, null);
            address = parsed.listening(channel);
            place = parsed;
            listener = channel;
        } catch (UnknownHostException e) {
            throw failed(channel, bindAddress + ": unknown host", e);
        } catch (BindException e) {
            throw failed(channel, bindAddress + " is in use, or none of this host: " + e.getMessage(), e);
        } catch (IOException e) {
            throw failed(channel, bindAddress + ": " + e.getMessage(), e);
        }
    }

    private static VerbsException failed(ServerSocketChannel channel, String why, IOException e) {
        closeQuietly(channel);
        return new VerbsException("listen", why, e);
    }

    private static void leave(StreamAddress place) {
        try {
            place.left();
        } catch (IOException e) {
            LOG.warn("leaving {}: {}", place.text(), e.toString());
        }
    }

    private static void closeQuietly(ServerSocketChannel channel) {
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException e) {
            LOG.debug("closing {}: {}", channel, e.toString());
        }
    }

    @Override
    public void unlisten() {
        ServerSocketChannel old = listener;
        listener = null;
        if (old != null) {
            leave(place);
            closeQuietly(old);
            release(old);
        }
    }

    /** Has a listener's descriptor go, and its port come free, which is once a look has taken it off. */
    private void release(ServerSocketChannel old) {
        long startNs = clock.nanoTime();
        while (old.isRegistered() && clock.nanoTime() - startNs < RELEASE_NS) {
            if (control.isElsewhere()) {
                arrivals.wakeup(); // its thread looks; to look here as well would wait until it looks no more
                clock.parkNanos(this, PAUSE_NS);
            } else {
                arrivals.await(0);
            }
        }
    }

    @Override
    public void bury(Runnable burial) {
        control.bury(burial);
    }

    @Override
    public boolean isControlThread() {
        return control.isCurrent();
    }

    @Override
    public void expectEnd() {
        control.expectEnd();
    }

    @Override
    public void stop() {
        control.stop();
        close();
    }

    @Override
    public void close() {
        unlisten();
        events.forEach(StreamEvents::close);
        arrivals.close();
    }
}
