package org.jvrpc.runtime;

import java.util.List;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.ClientInterceptor;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.ClientCall;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.RpcChannel;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.api.wire.ObjectCodec;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;

/** A client's way to one service, with the options of one stub. Many threads. */
final class ServiceChannel implements RpcChannel {

    private final RpcClient client;
    private final ServiceDescriptor<?> service;
    private final ObjectCodec objects;
    private final CallOptions options;
    private final List<ClientInterceptor> interceptors;
    private final boolean plain;
    private volatile Binding binding = new Binding(null, 0, null);
    private volatile ClientSession met;

    /**
     * Where the methods of the service begin in a session's server, and what programs answer.
     *
     * @param lookups by the methods' indices, null for none
     */
    private record Binding(ClientSession session, int base, MethodLookups[] lookups) {
    }

    ServiceChannel(
            RpcClient client,
            ServiceDescriptor<?> service,
            ObjectCodec objects,
            CallOptions options,
            List<ClientInterceptor> interceptors) {
        this.client = client;
        this.service = service;
        this.objects = objects;
        this.options = options;
        this.interceptors = interceptors;
        this.plain = interceptors.isEmpty() && options.deadlineNs() == 0 && !options.hasMetadata();
    }

    ObjectCodec objects() {
        return objects;
    }

    long defaultDeadlineNs() {
        return client.settings().deadlineNs();
    }

    private long deadlineNs(MethodDescriptor method) {
        return method.deadlineNs() > 0 ? method.deadlineNs() : defaultDeadlineNs();
    }

    @Override
    public ClientCall begin(MethodDescriptor method) {
        if (plain && method.offload()) {
            OffloadedCall call = claimProgram(method);
            if (call != null) {
                call.begin(this, method);
                return call;
            }
        }
        return beginOrdinary(method);
    }

    private OffloadedCall claimProgram(MethodDescriptor method) {
        Binding bound = binding;
        MethodLookups lookups = bound.lookups == null ? null : bound.lookups[method.index()];
        if (lookups == null) {
            return null;
        }
        ClientSession session = client.session();
        if (session != bound.session && session != null && session != met) {
            met = session; // what its server offers is asked for beside the calls, which do not wait for it
            client.offloads().later(() -> tryBind(session));
        }
        return lookups.claim();
    }

    private void tryBind(ClientSession session) {
        try {
            bind(session);
        } catch (RpcException e) {
            client.log().debug("{} is not opened on {} yet: {}", service.name(), client.address(), e.getMessage());
        }
    }

    /** Begins a call that the server answers. */
    ClientCall beginOrdinary(MethodDescriptor method) {
        Binding bound = binding;
        ClientSession session = client.session();
        if (session == null || session != bound.session) {
            session = client.awaitSession(options.waitForReady(), waitNs(method));
            bound = bind(session);
        }
        long deadlineNs = waitNs(method);
        ClientSlot slot = session.claim(deadlineNs);
        slot.begin(this, method, bound.base + method.index(),
                plain ? null : new ClientInvocation(interceptors, method, options, deadlineNs));
        return slot;
    }

    private long waitNs(MethodDescriptor method) {
        return options.deadlineNs() > 0 ? options.deadlineNs() : deadlineNs(method);
    }

    /** Opens the service on the server, so that a difference of the interfaces is told before any call. */
    void open() {
        bind(client.awaitSession(options.waitForReady(), defaultDeadlineNs()));
    }

    private synchronized Binding bind(ClientSession session) {
        Binding bound = binding;
        if (bound.session != session) {
            bound = openOn(session);
            binding = bound;
        }
        return bound;
    }

    private Binding openOn(ClientSession session) {
        MethodDescriptor open = new MethodDescriptor(0, service.name(), "(open)", "", 0, false, false,
                client.settings().deadlineNs(), false);
        ClientSlot slot = session.claim(open.deadlineNs());
        slot.begin(this, open, RpcHeader.OPEN, null);
        try {
            try {
                WireWriter out = slot.arguments();
                ServiceTable.writeOpen(out, service);
            } catch (RuntimeException e) {
                throw slot.abandon(e);
            }
            WireReader in = slot.invoke();
            int base = in.readInt();
            if (base < 0 || base + service.methods().size() > RpcHeader.OPEN) {
                throw new RpcException(Status.INTERNAL, "server answered with base=" + base);
            }
            MethodOffer[] offers = MethodOffer.readAll(in, service.methods().size());
            return new Binding(session, base, client.offloads().lookups(offers, service.methods().size()));
        } finally {
            slot.close();
        }
    }
}
