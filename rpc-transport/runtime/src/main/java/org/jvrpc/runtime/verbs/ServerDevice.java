package org.jvrpc.runtime.verbs;

import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.Stream;
import org.jvrpc.runtime.Admission;
import org.jvrpc.runtime.session.Bodies;
import org.jvrpc.runtime.session.Hello;
import org.jvrpc.runtime.session.Link;
import org.jvrpc.runtime.session.Protocol;
import org.jvrpc.runtime.session.SessionBudget;
import org.jvrpc.runtime.session.Undo;
import org.jvrpc.runtime.thread.Environment;
import org.jvrpc.runtime.thread.Events;
import org.jvrpc.verbs.ConnectionRequest;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.Listener;

/**
 * The device of a server of whatever protocol: the address where clients find it, and the control thread that takes
 * them and gives back what they had. Any thread.
 */
public final class ServerDevice implements AutoCloseable {

    /** What servers of different protocols do differently. Control thread. */
    public interface Server {

        /** Returns why nobody is taken now, or null. */
        String unavailable();

        /**
         * Returns the number of the thread that is to poll the next session.
         *
         * @param waiting how many are each thread's, and have no session yet
         */
        default int thread(IntUnaryOperator waiting) {
            return 0;
        }

        /** Returns the longest body or frame that the server takes. */
        long maxBytes();

        /**
         * Makes a session, which owns link and bodies when this returns.
         *
         * @param thread number of the one that polls it
         * @param asked with what the client takes, and as many units as are granted
         * @return what is to be done once the link is connected
         */
        Runnable session(long id, int thread, Hello asked, Link link, Bodies bodies);

        /** Ends the server, whose device is gone; returns soon, for the end waits for this thread. */
        void deviceIsGone();
    }

    private final Server server;
    private final Device device;
    private final List<Events> events;
    private final ControlThread control;
    private final Acceptor acceptor;
    private volatile Listener listener;
    private volatile String address;

    /**
     * Opens the device and listens; nobody is taken before {@link #start}.
     *
     * @param threads how many poll the sessions
     * @param thread name of the control thread
     * @throws org.jvrpc.verbs.VerbsException when the address is in use, or this host has no device for it
     */
    public ServerDevice(
            Server server,
            Protocol protocol,
            String bindAddress,
            int threads,
            String thread,
            Admission admission,
            SessionBudget budget,
            Environment environment) {
        this.server = server;
        EventChannel[] channels = new EventChannel[threads];
        Undo undo = new Undo();
        try {
            this.device = undo.keep(Devices.open(bindAddress));
            this.control = new ControlThread(thread, new Control(), device, environment);
            listen(bindAddress);
            for (int i = 0; i < threads; i++) {
                channels[i] = device.createChannel();
            }
        } catch (RuntimeException e) {
            undo.run();
            throw e;
        }
        this.events = Stream.of(channels).<Events>map(ChannelEvents::new).toList();
        this.acceptor = new Acceptor(server, this::address, protocol, device, channels,
                environment.clock(), admission, budget);
    }

    /** What the control thread does for the server. */
    private final class Control implements ControlThread.Server {

        @Override
        public ConnectionRequest poll() {
            Listener now = listener;
            return now == null ? null : now.poll();
        }

        @Override
        public void accept(ConnectionRequest request) {
            acceptor.accept(request);
        }

        @Override
        public boolean settle() {
            return acceptor.settle();
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

    public void start() {
        control.start();
    }

    public Device device() {
        return device;
    }

    /** Returns where a thread waits that polls sessions. @param thread its number, from 0 */
    public Events events(int thread) {
        return events.get(thread);
    }

    /** Returns the address, or the last one, with the port that was taken where it was given as 0. */
    public String address() {
        return address;
    }

    /** Listens at an address of this device. After {@link #unlisten} where it did before. */
    public void listen(String bindAddress) {
        listener = control.listen(bindAddress);
        address = listener.address();
    }

    /** Gives the address free: nobody connects any more, sessions go on. Idempotent. */
    public void unlisten() {
        Listener old = listener;
        listener = null;
        if (old != null) {
            old.close();
        }
    }

    /** Has the control thread do something, such as give back what a session had. */
    public void bury(Runnable burial) {
        control.bury(burial);
    }

    public boolean isControlThread() {
        return control.isCurrent();
    }

    /** Has what fails from now on told to nobody, for it is the end; sessions are buried until {@link #close}. */
    public void expectEnd() {
        control.expectEnd();
    }

    /** Ends the control thread, after it has given back all that is dead, then the device. Not the control thread. */
    public void stop() {
        control.stop();
        close();
    }

    /** Closes the device of a server that never started. */
    @Override
    public void close() {
        device.close();
    }
}
