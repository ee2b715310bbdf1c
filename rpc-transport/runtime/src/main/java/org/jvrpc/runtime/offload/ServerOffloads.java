package org.jvrpc.runtime.offload;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jvrpc.api.auth.RpcPrincipal;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.offload.lookup.HostedClient;
import org.jvrpc.offload.lookup.LookupKind;
import org.jvrpc.offload.lookup.Offer;
import org.jvrpc.offload.lookup.OffloadHost;
import org.jvrpc.offload.table.MethodTable;
import org.jvrpc.runtime.OffloadSettings;
import org.jvrpc.runtime.guard.Guard;
import org.jvrpc.runtime.guard.LocalUsers;
import org.jvrpc.runtime.guard.Who;
import org.jvrpc.runtime.service.MethodOffer;
import org.jvrpc.runtime.service.ServiceTable;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.ConnectionRequest;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.PeerIdentity;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.VerbsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The methods that a server offers to programs, and their host, which is made with the first. Any thread. */
public final class ServerOffloads implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ServerOffloads.class);
    private static final int NAME_CHARS = 12;

    private final Device device;
    private final ProtectionDomain pd;
    private final String address;
    private final ServiceTable services;
    private final List<MethodPublisher<?>> methods = new ArrayList<>();
    private final Guard guard;
    private final List<Secret> secrets = new CopyOnWriteArrayList<>();
    private boolean looks;
    private OffloadHost host;
    private boolean closed;

    /** @param device null where none carries the server's sessions: then nothing can be offered */
    public ServerOffloads(Device device, String serverAddress, ServiceTable services, Guard guard) {
        this.guard = guard;
        this.device = device;
        this.pd = device == null ? null : device.allocatePd();
        this.address = OffloadHost.beside(serverAddress);
        this.services = services;
    }

    /** Whoever may not call a method may not have its program answer, either, however they know of it. */
    private BooleanSupplier may(ConnectionRequest request, String lookup) {
        Who who = Who.later(request::peerHost, () -> principal(request.identity()));
        return () -> {
            MethodDescriptor method = methodOf(lookup);
            return method != null && guard.mayRunProgram(who, method);
        };
    }

    private static RpcPrincipal principal(PeerIdentity peer) {
        return peer == null ? null : LocalUsers.process(peer.user(), peer.group(), peer.pid());
    }

    private synchronized MethodDescriptor methodOf(String lookup) {
        return methods.stream().filter(each -> each.isOffered(lookup)).findAny()
                .map(MethodPublisher::method).orElse(null);
    }

    private void lookAgain() {
        List.copyOf(secrets).forEach(Secret::look);
        OffloadHost now;
        synchronized (this) {
            now = host;
        }
        if (now != null) {
            now.lookAgain();
        }
    }

    /** Offers a method. @throws IllegalArgumentException when it cannot be offered, or is already */
    public synchronized <T> MethodPublisher<T> offer(Class<T> service, String name, OffloadSettings given) {
        OffloadSettings settings = given.copy();
        ServiceTable.Method method = find(service, name);
        MethodDescriptor descriptor = method.descriptor();
        if (closed) {
            throw new IllegalStateException("the server is closed: " + descriptor.fullName());
        }
        if (methods.stream().anyMatch(other -> other.isOf(method))) {
            throw new IllegalArgumentException(descriptor.fullName() + " is offered already");
        }
        expectChains(descriptor);
        boolean own = settings.hostAddress() == null;
        long bytes = settings.bytes();
        if (own && host == null) {
            host = new OffloadHost(device, address, this::may);
        }
        if (!looks) {
            looks = true;
            guard.alsoLooks(this::lookAgain);
        }
        if (settings.hostNames() != null) {
            guard.told().begin(descriptor);
        }
        MemoryRegion region =
                own ? pd.allocate(bytes, Access.LOCAL_WRITE | Access.REMOTE_READ) : settings.memory();
        MethodTable table =
                MethodTable.open(region, settings.offset(), settings.capacity(), settings.answerBytes());
        MethodOffer offer = new MethodOffer(descriptor.index(), table.answerBytes(),
                own ? host.address() : settings.hostAddress(),
                own ? nameOf(descriptor)
                        : settings.hostNames() != null ? settings.hostNames().get() : settings.hostName());
        if (own) {
            host.offer(new Offer(offer.name(), LookupKind.HASH_GET, region, settings.offset(), settings.rearm(),
                    settings.wqesPerSecond(), settings.burst()));
        }
        MethodPublisher<T> offered = new MethodPublisher<>(
                service, ServiceDescriptor.of(service), method, table, offer, settings.offset(), this);
        methods.add(offered);
        services.offer(descriptor.service(), offer);
        if (settings.hostNames() != null) {
            secrets.add(new Secret(offered, settings.hostNames()));
        }
        return offered;
    }

    /** A lookup of a host that asks nobody, whose name those alone are told who may use it. */
    private final class Secret {

        private final MethodPublisher<?> method;
        private final Supplier<String> names;
        private int revocations = guard.revocations();

        Secret(MethodPublisher<?> method, Supplier<String> names) {
            this.method = method;
            this.names = names;
        }

        /** Gives it another name where somebody knows it who may not, or may know it, as nobody is asked for. */
        synchronized void look() {
            int now = guard.revocations();
            boolean unseen = !guard.watches() && now != revocations;
            if (!unseen && !guard.told().isKnownToStrangers(method.method())) {
                return;
            }
            MethodOffer old = method.offer();
            try {
                MethodOffer next = new MethodOffer(old.index(), old.answerBytes(), old.address(), names.get());
                guard.told().begin(method.method()); // before anybody hears of the new name
                method.offer(next);
                services.offerInPlaceOf(method.method().service(), old, next);
                revocations = now;
            } catch (RuntimeException e) {
                LOG.error("the program of {} has its name still, which somebody knows who may not have it",
                        method.method().fullName(), e);
            }
        }
    }

    /** A name that no other lookup of the host has, and that fits in what a network's connection manager carries. */
    private String nameOf(MethodDescriptor descriptor) {
        String method = descriptor.fullName().substring(descriptor.fullName().lastIndexOf('/') + 1);
        return method.substring(0, Math.min(method.length(), NAME_CHARS)) + "#" + methods.size();
    }

    /** A server without programs is a decision of who starts it: nothing falls back in silence. */
    private void expectChains(MethodDescriptor descriptor) {
        if (device == null) {
            throw new VerbsException("offload", descriptor.fullName() + " cannot be offered to programs at " + address
                    + ", where no device is; clients call it as any other method");
        }
        try {
            pd.chains();
        } catch (VerbsException e) {
            throw new VerbsException("offload", descriptor.fullName() + " cannot be offered to programs by device "
                    + device.name() + ", which runs none; its clients call it as any other method", e);
        }
    }

    private <T> ServiceTable.Method find(Class<T> service, String name) {
        List<ServiceTable.Method> found = services.find(ServiceDescriptor.of(service).name(), name);
        if (found.size() != 1 || !found.get(0).descriptor().offload()) {
            throw new IllegalArgumentException(service.getName() + " has "
                    + (found.isEmpty() ? "no method name=" + name + ", or is no service of this server"
                    : found.size() > 1 ? "methods=" + found.size() + " of the name " + name + ": give its parameters"
                    + " as the signature has them, such as " + found.get(0).descriptor().signature()
                    : "a method " + name + " without @Offload"));
        }
        return found.get(0);
    }

    /** Returns what was offered. @throws IllegalArgumentException when it was not */
    public synchronized <T> MethodPublisher<T> offered(Class<T> service, String name) {
        ServiceTable.Method method = find(service, name);
        for (MethodPublisher<?> offered : methods) {
            if (offered.isOf(method)) {
                @SuppressWarnings("unchecked") // the method is of this service
                MethodPublisher<T> found = (MethodPublisher<T>) offered;
                return found;
            }
        }
        throw new IllegalArgumentException(method.descriptor().fullName() + " is not offered");
    }

    synchronized List<HostedClient> clients(String name) {
        return host == null ? List.of()
                : host.clients().stream().filter(client -> client.offer().name().equals(name)).toList();
    }

    /** Ends the server's own host: its clients make ordinary calls from then on. */
    @Override
    public void close() {
        OffloadHost last;
        synchronized (this) {
            closed = true;
            last = host;
            host = null;
        }
        if (last != null) {
            last.close();
        }
    }
}
