package org.jvrpc.runtime.stream.client;

import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.runtime.session.Settings;
import org.jvrpc.runtime.stream.Stream;
import org.jvrpc.runtime.stream.StreamPoller;
import org.jvrpc.runtime.stream.StreamSession;
import org.jvrpc.runtime.stream.memory.StreamMemory;
import org.jvrpc.runtime.transport.ClientTransport;
import org.jvrpc.runtime.transport.Connected;

/** A client's session of streams, the device that it came by, and its thread. Ends by itself when it is lost. */
final class ClientLink implements AutoCloseable {

    private final ClientTransport device;
    private final StreamPoller poller;
    private final StreamMemory memory;
    private final Session session;
    private final StreamClient.Bindings bindings = new StreamClient.Bindings();

    ClientLink(ClientTransport device, Connected made, StreamPoller poller, StreamMemory memory, Settings settings) {
        this.device = device;
        this.poller = poller;
        this.memory = memory;
        this.session = new Session(made, settings);
    }

    /** The session, whose end is that of the thread. */
    private final class Session extends StreamSession {

        private final Control control = new Control(this);

        Session(Connected made, Settings settings) {
            super(settings.environment().clock(), made.link(), made.bodies(), memory, settings.idle(), made.granted(),
                    settings.streamWindow(), made.granted().session(), poller);
            control(control);
        }

        @Override
        protected void ended() {
            poller.beginStop();
        }
    }

    /** Tells the server of services. */
    private static final class Control extends Stream {

        private static final int BIND = 1;

        Control(StreamSession session) {
            super(session);
        }

        void bind(ByteBuffer message) {
            sendFirst(BIND, message, message.limit());
        }

        @Override
        protected void message(int kind, ByteBuffer bytes, int length) {
            throw new IllegalStateException("a server binds services");
        }

        @Override
        protected void ended() {
            // never
        }

        @Override
        protected void cancelled() {
            // never
        }

        @Override
        public void fail(RpcException cause) {
            sendNothing();
        }

        @Override
        protected void stopReceiving(String why) {
            // nothing comes
        }

        @Override
        protected void outgoingEnded() {
            // never
        }

        @Override
        protected void outgoingFailed(Throwable cause) {
            // never
        }

        @Override
        protected RpcException failure() {
            return null;
        }

        @Override
        protected Executor executor() {
            return null;
        }

        @Override
        protected boolean isCancelTheEnd() {
            return false;
        }
    }

    StreamSession session() {
        return session;
    }

    void start() {
        poller.add(session);
        poller.onEnd(() -> {
            if (session.bury()) {
                device.close();
            }
        });
        poller.start();
    }

    int number(ServiceDescriptor<?> service) {
        return bindings.number(service, session.control::bind, memory);
    }

    @Override
    public void close() {
        poller.stop();
    }
}
