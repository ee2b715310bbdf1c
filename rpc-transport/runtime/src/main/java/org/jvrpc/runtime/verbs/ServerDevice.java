package org.jvrpc.runtime.verbs;

import java.util.List;
import java.util.stream.Stream;
import org.jvrpc.runtime.session.Undo;
import org.jvrpc.runtime.thread.Events;
import org.jvrpc.runtime.transport.ControlThread;
import org.jvrpc.runtime.transport.ServerTransport;
import org.jvrpc.runtime.transport.Transport;
import org.jvrpc.runtime.transport.Transports;
import org.jvrpc.verbs.ConnectionRequest;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.Listener;

/**
 * The device of a server of whatever protocol: the address where clients find it, and the control thread that takes
 * them and gives back what they had. Any thread.
 */
public final class ServerDevice implements ServerTransport {

    private final Server server;
    private final Device device;
    private final List<Events> events;
    private final EventChannel channel;
    private final ControlThread control;
    private final Acceptor acceptor;
    private volatile Listener listener;
    private volatile String address;

    /**
     * Opens the device and listens; nobody is taken before {@link #start}.
     *
     * @throws org.jvrpc.verbs.VerbsException when the address is in use, or this host has no device for it
     */
    ServerDevice(Server server, Transport.Setup setup) {
        this.server = server;
        EventChannel[] channels = new EventChannel[setup.threads()];
        Undo undo = new Undo();
        try {
            this.device = undo.keep(Transports.device(() -> Devices.open(setup.address())));
            this.channel = device.createChannel();
            this.control = new ControlThread(
                    setup.thread(), new Control(), new ChannelEvents(channel), setup.environment());
            listen(setup.address());
            for (int i = 0; i < channels.length; i++) {
                channels[i] = device.createChannel();
            }
        } catch (RuntimeException e) {
            undo.run();
            throw e;
        }
        this.events = Stream.of(channels).<Events>map(ChannelEvents::new).toList();
        this.acceptor = new Acceptor(server, this::address, setup.protocol(), device, channels,
                setup.environment().clock(), setup.admission(), setup.budget());
    }

    /** Opens that of an address of whatever kind. Fails as {@link Transport#openServer} does. */
    public static ServerTransport open(Server server, Transport.Setup setup) {
        Transport transport = Transports.of(setup.address());
        return transport == null ? new ServerDevice(server, setup) : transport.openServer(server, setup);
    }

    /** What the control thread does for the server. */
    private final class Control implements ControlThread.Server {

        @Override
        public int accept(int most) {
            int count = 0;
            for (ConnectionRequest next = next(); next != null; next = count < most ? next() : null) {
                count++;
                acceptor.accept(next);
            }
            return count;
        }

        @Override
        public boolean settle() {
            return acceptor.settle();
        }

        private ConnectionRequest next() {
            Listener now = listener;
            return now == null ? null : now.poll();
        }

        @Override
        public String lost() {
            return device.isLost() ? "device " + device.name() : null;
        }

        @Override
        public void leave() {
            acceptor.close();
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
        return device;
    }

    @Override
    public Events events(int thread) {
        return events.get(thread);
    }

    @Override
    public String address() {
        return address;
    }

    @Override
    public void listen(String bindAddress) {
        listener = device.listen(bindAddress, channel);
        address = listener.address();
    }

    @Override
    public void unlisten() {
        Listener old = listener;
        listener = null;
        if (old != null) {
            old.close();
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
        device.close();
    }
}
