package org.jvrpc.tcp;

import java.io.IOException;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.List;
import org.jvrpc.runtime.memory.KeyedBodies;
import org.jvrpc.runtime.memory.SlotFrames;
import org.jvrpc.runtime.session.Hello;
import org.jvrpc.runtime.session.Undo;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.runtime.thread.Events;
import org.jvrpc.runtime.transport.ClientTransport;
import org.jvrpc.runtime.transport.Connected;
import org.jvrpc.tcp.gzip.GzipWire;
import org.jvrpc.tcp.link.StreamEvents;
import org.jvrpc.tcp.link.StreamLink;
import org.jvrpc.tcp.link.Wire;
import org.jvrpc.verbs.ConnectionException;
import org.jvrpc.verbs.ConnectionException.Reason;
import org.jvrpc.verbs.Device;

/** How a client connects by streams. One thread at a time connects. */
final class StreamClient implements ClientTransport {

    private static final long MILLI_NS = 1_000_000;
    /** What Linux says of a socket of the file system at which too many wait: {@code EAGAIN}. */
    private static final String FULL = "Resource temporarily unavailable";

    private final StreamAddress address;
    private final Clock clock;
    private final StreamEvents events = new StreamEvents();

    StreamClient(StreamAddress address, Clock clock) {
        this.address = address;
        this.clock = clock;
    }

    @Override
    public Events events() {
        return events;
    }

    @Override
    public Device device() {
        return null;
    }

    @Override
    public boolean isLost() {
        return false;
    }

    @Override
    public boolean isPrivate() {
        return address.isPrivate();
    }

    @Override
    public String name() {
        return "stream " + address.text();
    }

    @Override
    public String trouble() {
        return "";
    }

    @Override
    public Connected connect(Hello asked, long timeoutNs, Runnable meanwhile) {
        address.expectConnectable();
        long endNs = clock.nanoTime() + timeoutNs;
        Undo undo = new Undo();
        try {
            SocketChannel channel = undo.keep(open(endNs));
            address.prepare(channel);
            Wire wire = address.clientWire(channel);
            Hello granted = greet(wire, asked.withGzip(address.asksForGzip()), endNs, meanwhile);
            KeyedBodies bodies = undo.keep(new KeyedBodies(null));
            SlotFrames slots = new SlotFrames(null, granted.firstUnits(), granted.units(), granted.unitBytes());
            Wire way = granted.gzip() ? new GzipWire(wire) : wire;
            StreamLink link = new StreamLink(clock, events, way, address.peerHost(channel), slots, bodies,
                    granted.unitBytes(), true);
            link.begin();
            return new Connected(link, bodies, granted);
        } catch (IOException e) {
            undo.run();
            throw new ConnectionException(Reason.UNREACHABLE, address.text() + ": " + e.getMessage(), e);
        } catch (RuntimeException | Error e) {
            undo.run();
            throw e;
        }
    }

    /** Returns a channel to the first of the host's addresses at which somebody listens. */
    private SocketChannel open(long endNs) throws IOException {
        List<SocketAddress> places;
        try {
            places = address.resolve();
        } catch (UnknownHostException e) {
            throw new ConnectionException(Reason.UNREACHABLE, address.text() + ": unknown host", e);
        }
        IOException first = null;
        for (int i = 0; i < places.size(); i++) {
            long nowNs = clock.nanoTime();
            boolean last = i == places.size() - 1;
            try {
                // one that does not answer leaves time for the others
                return openPatiently(places.get(i), last ? endNs : nowNs + (endNs - nowNs) / (places.size() - i));
            } catch (ConnectionException e) {
                if (last || Thread.currentThread().isInterrupted()) {
                    throw e;
                }
                first = first == null ? new IOException(e.getMessage(), e) : first;
            } catch (IOException e) {
                first = first == null ? e : first;
            }
        }
        throw new ConnectionException(Reason.UNREACHABLE,
                "nobody listens at " + address.text() + ": " + first.getMessage(), first);
    }

    /** A server at a socket of the file system takes nobody for a moment where many come at once: it is there. */
    private SocketChannel openPatiently(SocketAddress place, long endNs) throws IOException {
        while (true) {
            try {
                return open(place, endNs);
            } catch (IOException e) {
                if (!String.valueOf(e.getMessage()).contains(FULL)) {
                    throw e;
                }
                if (endNs - clock.nanoTime() <= 0 || Thread.currentThread().isInterrupted()) {
                    throw new ConnectionException(Reason.TIMEOUT,
                            address.text() + ": somebody listens and takes nobody in time: " + e.getMessage(), e);
                }
                clock.parkNanos(this, MILLI_NS);
            }
        }
    }

    private SocketChannel open(SocketAddress place, long endNs) throws IOException {
        SocketChannel channel = address.open();
        try (Selector selector = Selector.open()) {
            channel.configureBlocking(false);
            if (!channel.connect(place)) {
                SelectionKey key = channel.register(selector, SelectionKey.OP_CONNECT);
                do {
                    await(selector, endNs, "connects");
                } while (!channel.finishConnect());
                key.cancel();
            }
            return channel;
        } catch (IOException | RuntimeException | Error e) {
            channel.close();
            throw e;
        }
    }

    private void await(Selector selector, long endNs, String what) throws IOException {
        long leftNs = endNs - clock.nanoTime();
        if (leftNs <= 0) {
            throw new ConnectionException(Reason.TIMEOUT, address.text() + ": nobody " + what + " in time", null);
        }
        selector.select(key -> { }, Math.max(1, leftNs / MILLI_NS));
        if (Thread.currentThread().isInterrupted()) {
            throw new ConnectionException(Reason.TIMEOUT, address.text() + ": interrupted", null);
        }
    }

    private Hello greet(Wire wire, Hello asked, long endNs, Runnable meanwhile) throws IOException {
        ByteBuffer hello = Greeting.of(Greeting.HELLO, asked.encode());
        wire.write(hello);
        meanwhile.run();
        Greeting answer = new Greeting();
        try (Selector selector = Selector.open()) {
            SelectionKey key = wire.channel().register(selector, SelectionKey.OP_READ);
            while (!answer.isWhole()) {
                int count = wire.read(answer.space());
                if (count < 0) {
                    throw new ConnectionException(Reason.UNREACHABLE,
                            address.text() + " ends the connection before it answers", null);
                }
                if (answer.refusal() != null) {
                    throw new ConnectionException(Reason.VERSION, address.text() + " " + answer.refusal(), null);
                }
                if (count == 0 && !goesOn(wire, hello)) {
                    key.interestOps(wire.pending() > 0 ? SelectionKey.OP_READ | SelectionKey.OP_WRITE
                            : SelectionKey.OP_READ);
                    await(selector, endNs, "answers");
                }
            }
        }
        return granted(asked, answer);
    }

    /**
     * Says what was not said yet, which is nothing until a hand-shake is over; true where something was. The look that
     * found nothing to read may have ended it: whoever waited then would wait for the answer to what nobody said.
     */
    private static boolean goesOn(Wire wire, ByteBuffer hello) throws IOException {
        wire.drain();
        return hello.hasRemaining() && wire.write(hello) > 0;
    }

    private Hello granted(Hello asked, Greeting answer) {
        if (answer.kind() != Greeting.HELLO) {
            throw Hello.refused(answer.body(), new ConnectionException(
                    Reason.REJECTED, address.text() + " refuses", answer.body(), null));
        }
        Hello granted = Hello.decode(answer.body());
        if (asked.mismatch(granted) != null) {
            throw new ConnectionException(Reason.VERSION, address.text() + " " + asked.mismatch(granted), null);
        }
        return granted;
    }

    @Override
    public void close() {
        events.close();
    }
}
