package org.jvrpc.runtime.connection;

import java.util.List;
import java.util.stream.Stream;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.ClientInterceptor;
import org.jvrpc.api.RpcContext;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.auth.CallCredentials;
import org.jvrpc.api.stub.ClientCall;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.api.stub.StreamCall;
import org.jvrpc.api.wire.ObjectCodec;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.runtime.client.Callbacks;
import org.jvrpc.runtime.client.ClientSession;
import org.jvrpc.runtime.client.ClientSlot;
import org.jvrpc.runtime.counters.write.Endpoint;
import org.jvrpc.runtime.invocation.ClientInvocation;
import org.jvrpc.runtime.invocation.Interceptors;
import org.jvrpc.runtime.invocation.StubCalls;
import org.jvrpc.runtime.offload.MethodLookups;
import org.jvrpc.runtime.offload.OffloadedCall;
import org.jvrpc.runtime.offload.OrdinaryCalls;
import org.jvrpc.runtime.route.BoundChannel;
import org.jvrpc.runtime.service.MethodOffer;
import org.jvrpc.runtime.service.Opening;
import org.jvrpc.runtime.service.OtherVersion;
import org.jvrpc.runtime.service.ServiceTable;
import org.jvrpc.runtime.session.RpcHeader;
import org.jvrpc.runtime.stream.client.StreamClient;
import org.jvrpc.runtime.stream.client.StreamTarget;
import org.jvrpc.runtime.thread.Clock;
import org.jvrpc.runtime.thread.Deadline;

/** A client's way to one service, with the options of one stub. Many threads. */
public final class ServiceChannel implements BoundChannel, OrdinaryCalls {

    private final ClientCore client;
    private final Clock clock;
    private final ServiceDescriptor<?> service;
    private final StubCalls calls;
    private final CallOptions options;
    private final Interceptors interceptors;
    /** Shows who calls, the last of the interceptors; none where nobody does. */
    private final List<ClientInterceptor> shown;
    /** Calls have nothing beside their arguments, unless an interceptor stands around them. */
    private final boolean bare;
    private volatile Binding binding = new Binding(null, 0, null, this);
    /** Of a session whose server has another version of the interface; {@link #binding} is of none, then. */
    private volatile Binding adapted = binding;
    private volatile ClientSession rebinding;

    /**
     * Where the methods of the service begin in a session's server, and what programs answer.
     *
     * @param lookups by the methods' indices, null for none
     * @param channel this, or for a server with another version of the interface what knows what travels there
     */
    public record Binding(ClientSession session, int base, MethodLookups[] lookups, ServiceChannel channel) {
    }

    public ServiceChannel(
            ClientCore client,
            ServiceDescriptor<?> service,
            ObjectCodec objects,
            CallOptions options,
            List<ClientInterceptor> interceptors) {
        this.client = client;
        this.clock = client.clock();
        this.service = service;
        this.calls = new StubCalls(objects, options, client.settings().deadlineNs());
        this.options = options;
        this.shown = options.credentials() == null ? List.of() : List.of(shows(client, options.credentials()));
        this.interceptors = new Interceptors(Stream.concat(interceptors.stream(), shown.stream()).toList());
        this.bare = options.deadlineNs() == 0 && !options.hasMetadata()
                && options.responseMetadata() == null;
    }

    /** What calls go by at a server with another version of the interface. */
    private ServiceChannel(ServiceChannel channel, ObjectCodec objects) {
        this(channel.client, channel.service, objects, channel.options, channel.interceptors.all());
    }

    /** Returns what has calls show who makes them. @throws RpcException UNAUTHENTICATED where all could read it */
    private static ClientInterceptor shows(ClientCore client, CallCredentials credentials) {
        if (!client.mayShowCredentials()) {
            throw RpcException.notRun(Status.UNAUTHENTICATED, "calls to " + client.address() + " show no credentials,"
                    + " which anybody on the way could read: use tls://, or allow it by allowCredentialsInPlain()");
        }
        return (context, next) -> {
            try {
                credentials.apply(context.method(), context.metadata());
            } catch (RpcException e) {
                throw e;
            } catch (Exception e) { // it is the user's; its message may have what is not to be told
                throw RpcException.notRun(Status.UNAUTHENTICATED, "the credentials for " + context.method().fullName()
                        + " cannot be had: " + e.getClass().getName(), e);
            }
            next.proceed();
        };
    }

    /** Something on this thread is about to wait: a callback leaves what it has in hand to other threads. */
    public static void aboutToWait() {
        Callbacks.leaveCurrent();
    }

    @Override
    public ObjectCodec objects() {
        return calls.objects();
    }

    @Override
    public ObjectCodec layouts() {
        Binding bound = bound(client.session());
        return bound == null ? objects() : bound.channel.objects();
    }

    @Override
    public long limitNs(MethodDescriptor method) {
        return calls.limitNs(method);
    }

    @Override
    public ClientCall begin(MethodDescriptor method) {
        RpcContext above = RpcContext.current();
        List<ClientInterceptor> around = interceptors.of(method);
        if (above != null) {
            ClientInvocation call = invocation(method, around, limitNs(method));
            call.within(above);
            return beginSlowly(method, call.endNs(), call);
        }
        if (!bare || around != Interceptors.NOBODY) {
            return beginOrdinary(method, invocation(method, around, limitNs(method)));
        }
        if (method.offload()) {
            OffloadedCall call = claimProgram(method);
            if (call != null) {
                call.begin(this, method);
                return call;
            }
        }
        return beginOrdinary(method);
    }

    private ClientInvocation invocation(MethodDescriptor method, List<ClientInterceptor> around, long limitNs) {
        return new ClientInvocation(clock, around, method, options, limitNs, Deadline.after(clock, limitNs));
    }

    private OffloadedCall claimProgram(MethodDescriptor method) {
        Binding bound = binding;
        MethodLookups lookups = bound.lookups == null ? null : bound.lookups[method.index()];
        if (lookups == null) {
            return null;
        }
        ClientSession session = client.session();
        if (session != bound.session && session != null && session != rebinding) {
            rebinding = session; // what its server offers is asked for beside the calls, which do not wait for it
            client.offloads().execute(() -> tryBind(session));
        }
        return lookups.claim();
    }

    private void tryBind(ClientSession session) {
        try {
            bind(session, Deadline.after(clock, client.settings().deadlineNs()));
        } catch (RpcException e) {
            client.log().debug("{} is not opened on {} yet: {}", service.name(), client.address(), e.getMessage());
        }
    }

    @Override
    public ClientCall beginOrdinary(MethodDescriptor method) {
        return beginOrdinary(method, null);
    }

    /** @param call null for one that has nothing beside its arguments */
    private ClientCall beginOrdinary(MethodDescriptor method, ClientInvocation call) {
        // Fixed here where it travels or costs little beside the rest; else by the call's first wait, as to look at the
        // clock takes a tenth of a light call, which does not wait before.
        long endNs = call != null ? call.endNs()
                : method.heavy() ? Deadline.after(clock, limitNs(method)) : Deadline.NONE;
        Binding bound = binding;
        ClientSession session = client.session();
        ClientSlot slot = session != null && session == bound.session && session.isUsable() ? session.tryClaim() : null;
        return slot != null ? begin(slot, bound, method, endNs, call) : beginSlowly(method, endNs, call);
    }

    @Override
    public void answeredByProgram() {
        if (client.counters() != null) {
            client.counters().offloaded();
        }
    }

    @Override
    public StreamCall beginStream(MethodDescriptor method, List<ClientInterceptor> outer) {
        long limitNs = options.deadlineNs() > 0 ? options.deadlineNs() : method.deadlineNs();
        long endNs = Deadline.after(clock, limitNs > 0 ? limitNs : StreamClient.FOREVER_NS);
        Binding bound = adapted;
        ObjectCodec codec = bound.session != null && bound.session == client.session()
                ? bound.channel.objects() : objects();
        ClientInvocation call = new ClientInvocation(clock, outer, method, options, limitNs, endNs);
        call.innermost(interceptors.of(method));
        call.within(RpcContext.current());
        return client.streams().begin(new StreamTarget(service, codec), method, call);
    }

    @Override
    public ClientCall begin(MethodDescriptor method, ClientInvocation attempt) {
        ClientSlot slot = beginSlowly(method, attempt.endNs(), attempt);
        attempt.innermost(shown); // not where the attempt goes to another server after all, which has its own
        return slot;
    }

    /**
     * As the channel of a binding, which is this one where the versions of the interface are equal.
     *
     * @param call null for one that has nothing beside its arguments
     */
    private ClientSlot begin(
            ClientSlot slot, Binding bound, MethodDescriptor method, long endNs, ClientInvocation call) {
        slot.begin(calls, method, bound.base + method.index(), call, endNs);
        return slot;
    }

    /** Begins a call that may have to wait for a session, for its opening, or for a slot. */
    private ClientSlot beginSlowly(MethodDescriptor method, long fixedNs, ClientInvocation attempt) {
        try {
            return claim(method, fixedNs, attempt);
        } catch (RpcException e) {
            Endpoint.ended(client.counters(), method, e.status());
            throw e;
        }
    }

    private ClientSlot claim(MethodDescriptor method, long fixedNs, ClientInvocation attempt) {
        long endNs = fixedNs == Deadline.NONE ? Deadline.after(clock, limitNs(method)) : fixedNs;
        while (true) {
            ClientSession session = client.awaitSession(options.waitForReady(), endNs);
            Binding bound = bindWhereReady(session, endNs);
            if (bound != null && attempt != null && attempt.layouts() != null
                    && !OtherVersion.alike(attempt.layouts(), bound.channel.objects())) {
                throw RpcException.notRun(Status.UNAVAILABLE, "arguments of " + method.fullName() + " were written for"
                        + " a server with another version of the interface than the one at " + client.address());
            }
            ClientSlot slot = bound == null ? null : session.claim(endNs);
            if (slot != null) {
                return bound.channel.begin(slot, bound, method, endNs, attempt);
            }
        }
    }

    /**
     * Opens the service on the server, so that a difference of the interfaces is told before any call. It has the time
     * that calls of the client have: what the options say is for calls.
     */
    @Override
    public void open() {
        long limitNs = client.settings().deadlineNs();
        long endNs = Deadline.after(clock, limitNs);
        try {
            while (bindWhereReady(client.awaitSession(options.waitForReady(), endNs), endNs) == null) {
                // a session that takes no new calls any more: there is another one, or soon will be
            }
        } catch (RpcException e) {
            throw e.status() != Status.DEADLINE_EXCEEDED ? e
                    : RpcException.notRun(e.status(), "not opened in " + limitNs / 1000 + " us: " + service.name());
        }
    }

    /**
     * Opens the service on a session where that is not done; null when the session takes no new calls. Each caller asks
     * for itself, within its own time, and holds nobody up: the answer is the same for all.
     */
    public Binding bind(ClientSession session, long endNs) {
        Binding bound = bound(session);
        if (bound != null) {
            return bound;
        }
        ClientSlot slot = session.claim(endNs);
        return slot == null ? null : keep(session, open(slot, endNs));
    }

    private Binding bound(ClientSession session) {
        Binding bound = binding;
        if (bound.session != session) {
            bound = adapted;
        }
        return bound.session == session ? bound : null;
    }

    /** As {@link #bind}; null, too, when the session is lost meanwhile and the call waits for the next one. */
    private Binding bindWhereReady(ClientSession session, long endNs) {
        try {
            return bind(session, endNs);
        } catch (RpcException e) {
            if (e.status() == Status.UNAVAILABLE && options.waitForReady() && !session.isUsable()) {
                return null;
            }
            throw e;
        }
    }

    private synchronized Binding keep(ClientSession session, Opened opened) {
        Binding bound = bound(session);
        if (bound != null) {
            return bound;
        }
        if (session.counters() != null) {
            session.counters().open(opened.base, service.methods());
        }
        if (opened.fields == null) {
            bound = new Binding(session, opened.base, client.offloads().lookups(opened.offers,
                    service.methods().size()), this);
        } else {
            bound = new Binding(session, opened.base, null,
                    new ServiceChannel(this, new OtherVersion(objects(), opened.fields)));
        }
        if (client.session() == session) {
            binding = opened.fields == null ? bound : new Binding(null, 0, null, this);
            adapted = bound;
        }
        return bound;
    }

    /**
     * The answer to the opening of the service on a session.
     *
     * @param fields how many components travel of growing records, where the server has fewer; else null
     */
    private record Opened(int base, MethodOffer[] offers, int[] fields) {
    }

    private Opened open(ClientSlot slot, long endNs) {
        MethodDescriptor open = new MethodDescriptor(0, service.name(), "(open)", "", 0, false, false,
                client.settings().deadlineNs(), false);
        slot.begin(calls, open, RpcHeader.OPEN, shown.isEmpty() ? null : new ClientInvocation(
                clock, shown, open, CallOptions.DEFAULT, client.settings().deadlineNs(), endNs), endNs);
        try {
            ServiceTable.writeOpen(slot.arguments(), service);
        } catch (RuntimeException | Error e) {
            throw slot.abandon(e);
        }
        int methods = service.methods().size();
        try {
            WireReader in = slot.invoke();
            int base = in.readInt();
            if (base < 0 || base > RpcHeader.OPEN - methods) {
                throw new RpcException(Status.INTERNAL, "server answered with base=" + base);
            }
            MethodOffer[] offers = MethodOffer.readAll(in, methods);
            return new Opened(base, offers, Opening.readShorter(in, service));
        } catch (RpcException e) { // whatever became of it, the call that needs it was not made
            throw RpcException.notRun(e.status(), e.getMessage(), e);
        } finally {
            slot.close();
        }
    }
}
