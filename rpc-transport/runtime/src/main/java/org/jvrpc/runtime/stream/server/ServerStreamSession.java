package org.jvrpc.runtime.stream.server;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import org.jvrpc.api.Metadata;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.auth.RpcPrincipal;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.StreamKind;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;
import org.jvrpc.runtime.guard.Gate;
import org.jvrpc.runtime.service.Caller;
import org.jvrpc.runtime.service.ServiceTable;
import org.jvrpc.runtime.session.Bodies;
import org.jvrpc.runtime.session.Hello;
import org.jvrpc.runtime.session.Link;
import org.jvrpc.runtime.stream.Stream;
import org.jvrpc.runtime.stream.StreamSession;

/** A client's session of streams at its server. */
final class ServerStreamSession extends StreamSession implements Caller {

    private static final int MOST_SERVICES = 1 << 12;
    private static final int MOST_METHODS = 1 << 14;
    /** How long a client may take to hear that its session ends. */
    private static final long FAREWELL_NS = 1_000_000_000L;

    private final ServerStreams streams;
    private final List<Binding> services = new ArrayList<>();
    private int methods;
    private final Control control = new Control(this);
    private final Gate gate;
    /** Why it is to end, once that is so; set behind the time from when on. */
    private volatile RpcException leaving;
    private long leavingNs;
    private final Set<String> entered = new HashSet<>();
    private final StreamHost.Line line;
    private final boolean takesTrailers;

    /** A service, or why it is none. */
    private record Binding(ServiceTable.Method[] methods, RpcException refusal) { }

    ServerStreamSession(ServerStreams streams, long id, Hello asked, Link link, Bodies bodies) {
        super(streams.host().settings().environment().clock(), link, bodies, streams.share(),
                streams.host().settings().idle(), asked, streams.host().settings().streamWindow(), id,
                streams.poller());
        this.streams = streams;
        this.gate = streams.host().gate(id, link.who(), this::expel);
        this.line = streams.host().newLine();
        this.takesTrailers = asked.trailers();
        control(control);
    }

    @Override
    public boolean takesTrailers() {
        return takesTrailers;
    }

    /** Returns where its heavy calls wait for the executor. */
    StreamHost.Line line() {
        return line;
    }

    /** Tells all streams that its principal may not be here any more, and ends soon. Any thread, once. */
    private void expel(String why) {
        leavingNs = clock().nanoTime();
        leaving = RpcException.notRun(Status.UNAUTHENTICATED, why);
        table().forEach(stream -> stream.fail(new RpcException(Status.UNAUTHENTICATED, why)));
        streams.poller().wake();
    }

    /** @throws RpcException when no stream is opened any more */
    void expectWelcome() {
        if (leaving != null) {
            throw RpcException.notRun(leaving.status(), leaving.getMessage());
        }
    }

    @Override
    protected void look(long nowNs) {
        if (leaving != null && (table().count() == 0 && isSent() || nowNs - leavingNs > FAREWELL_NS)) {
            end(leaving);
        }
    }

    /** Returns what all that comes here passes. */
    Gate gate() {
        return gate;
    }

    @Override
    public RpcPrincipal principal() {
        return gate.principal();
    }

    ServerStreams streams() {
        return streams;
    }

    @Override
    protected Stream opened(int number) {
        if (table().inPlaceOf(number) instanceof ServerStream last && last.isOver()) {
            last.vanish(); // its client has its end already, and whoever sent that is on the way here
        }
        ServerStream stream = new ServerStream(this);
        if (!table().add(stream, number)) {
            throw new IllegalStateException("no stream can be opened: number=" + number + " open=" + table().count());
        }
        if (isOver()) { // whoever ended it may not have found this one, which would keep what came of its opening
            stream.fail(new RpcException(Status.UNAVAILABLE, "connection is lost"));
            return null;
        }
        return stream;
    }

    /** Returns a method that a call names. @throws RpcException why there is none */
    ServiceTable.Method method(int service, int index) {
        if (service >= services.size()) {
            throw new RpcException(Status.FAILED_PRECONDITION, "session has not opened service number=" + service);
        }
        Binding bound = services.get(service);
        if (bound.refusal != null) {
            throw new RpcException(bound.refusal.status(), bound.refusal.getMessage());
        }
        ServiceTable.Method method = index < bound.methods.length ? bound.methods[index] : null;
        if (method == null) {
            throw new RpcException(Status.UNIMPLEMENTED, "no method index=" + index + " in service number=" + service);
        }
        if (method.descriptor().streams() == StreamKind.NONE && isOwn(method.descriptor())) {
            throw new RpcException(Status.UNIMPLEMENTED, "method has no stream: " + method.descriptor().fullName());
        }
        return method;
    }

    /** Returns false for one that a client of another version has: its calls fail and say why. */
    private boolean isOwn(MethodDescriptor method) {
        return streams.host().services().find(method.service(), method.name()).stream()
                .anyMatch(own -> own.descriptor() == method);
    }

    private void bind(ByteBuffer bytes) {
        WireReader in = new WireReader();
        in.reset(bytes, 0, bytes.limit(), null);
        int number = in.readShort() & 0xffff;
        if (number != services.size() || number >= MOST_SERVICES) {
            throw new IllegalStateException("service number=" + number + " expected=" + services.size());
        }
        WireWriter out = new WireWriter();
        ByteBuffer answer = ByteBuffer.allocateDirect(1 << 16);
        out.reset(answer, 0, answer.capacity(), null, null);
        try {
            ServiceTable.Method[] all = streams.host().services().open(in, out, new ServiceTable.Method[0],
                    name -> { }, method -> false);
            in.reset(answer, 0, out.length(), null);
            Binding bound = new Binding(Arrays.copyOfRange(all, in.readInt(), all.length), null);
            methods += bound.methods.length;
            if (methods > MOST_METHODS) {
                throw new IllegalStateException("methods of all services=" + methods + " limit=" + MOST_METHODS);
            }
            services.add(bound);
        } catch (RpcException e) {
            services.add(new Binding(null, e));
        }
    }

    /**
     * Lets a call in, and first, before the first of its service, the opening of that: tokens come with calls.
     *
     * @throws RpcException when its caller may not make it
     */
    Gate.Held letIn(MethodDescriptor method, Metadata metadata, int bytes) {
        if (!entered.contains(method.service())) {
            gate.open(method.service(), metadata);
            entered.add(method.service());
        }
        return gate.stream(method, metadata, bytes);
    }

    void goAway() {
        control.goAway();
    }

    @Override
    protected void ended() {
        gate.close();
        streams.host().ended(id());
    }

    /** What concerns the session itself. */
    private static final class Control extends Stream {

        private static final int GO_AWAY = 10;
        private static final int BIND = 1;

        private final ServerStreamSession session;

        Control(ServerStreamSession session) {
            super(session);
            this.session = session;
        }

        void goAway() {
            sendFirst(GO_AWAY, ByteBuffer.allocateDirect(0), 0);
        }

        @Override
        protected void message(int kind, ByteBuffer bytes, int length) {
            if (kind != BIND) {
                throw new IllegalStateException("message makes no sense: kind=" + kind);
            }
            session.bind(bytes);
        }

        @Override
        protected void ended() {
            throw new IllegalStateException("a session ends by its link");
        }

        @Override
        protected void cancelled() {
            throw new IllegalStateException("a session ends by its link");
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
}
