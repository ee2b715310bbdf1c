package org.jvrpc.runtime.service;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.schema.Agreement;
import org.jvrpc.api.schema.ServiceSchema;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.api.stub.Skeleton;
import org.jvrpc.api.stub.StreamKind;
import org.jvrpc.api.wire.ObjectCodec;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;
import org.jvrpc.runtime.graph.KryoCodec;
import org.jvrpc.runtime.session.RpcHeader;

/**
 * The services of a server: methods by the number that they have on the wire, and the opening of a service by a client.
 * Immutable once the server runs, but for what it offers to programs.
 */
public final class ServiceTable {

    private final Map<String, Entry> services = new LinkedHashMap<>();
    private final Map<String, List<MethodOffer>> offers = new ConcurrentHashMap<>();
    /** Of those services that a client opened with another version, by name. */
    private final Map<String, ServiceSchema> schemas = new ConcurrentHashMap<>();
    private Method[] methods = new Method[0];

    /** One service, with the number of its first method. */
    private record Entry(ServiceDescriptor<?> descriptor, int base) {
    }

    /**
     * One method, as a request finds it.
     *
     * @param number among all of its server; -1 for one that the server does not have
     */
    public record Method(MethodDescriptor descriptor, Skeleton skeleton, ObjectCodec objects, int number) {
    }

    /** Has none. */
    public ServiceTable() {
    }

    /** Has the services of another one, and what this server adds to them. */
    public ServiceTable(ServiceTable other) {
        services.putAll(other.services);
        methods = other.methods;
    }

    /** Returns the names of the services. */
    public Set<String> names() {
        return Collections.unmodifiableSet(services.keySet());
    }

    /** Returns a service of a name, or null. */
    public ServiceDescriptor<?> descriptor(String name) {
        Entry entry = services.get(name);
        return entry == null ? null : entry.descriptor;
    }

    /** Adds a service, unless there is one of its name: somebody has another way to answer. */
    public <T> void addMissing(ServiceDescriptor<T> descriptor, T implementation) {
        if (!services.containsKey(descriptor.name())) {
            add(descriptor, implementation);
        }
    }

    /** Adds a service. @throws IllegalArgumentException when its name is taken */
    public <T> void add(ServiceDescriptor<T> descriptor, T implementation) {
        Skeleton skeleton = descriptor.skeleton(implementation);
        ObjectCodec objects = new KryoCodec(descriptor.objectClasses());
        int base = methods.length;
        if (services.putIfAbsent(descriptor.name(), new Entry(descriptor, base)) != null) {
            throw new IllegalArgumentException("service name=" + descriptor.name() + " is added twice");
        }
        Method[] more = Arrays.copyOf(methods, base + descriptor.methods().size());
        for (MethodDescriptor method : descriptor.methods()) {
            more[base + method.index()] = new Method(method, skeleton, objects, base + method.index());
        }
        if (more.length > RpcHeader.OPEN) {
            throw new IllegalArgumentException("too many methods: " + more.length);
        }
        methods = more;
    }

    /** Has object graphs of all services written and read by another one. Before the server runs. */
    public void objects(ObjectCodec codec) {
        methods = Arrays.stream(methods).map(method -> new Method(
                        method.descriptor, method.skeleton, codec, method.number))
                .toArray(Method[]::new);
    }

    /** Returns how many methods there are. */
    public int count() {
        return methods.length;
    }

    public boolean isEmpty() {
        return services.isEmpty();
    }

    /** Returns true where a method has a stream. */
    public boolean haveStreams() {
        return Arrays.stream(methods).anyMatch(method -> method.descriptor().streams() != StreamKind.NONE);
    }

    /** Returns the methods of a service by a name, or by the beginning of a signature up to its parameters' end. */
    public List<Method> find(String service, String name) {
        List<Method> found = new ArrayList<>();
        Entry entry = services.get(service);
        if (entry != null) {
            for (MethodDescriptor method : entry.descriptor.methods()) {
                if (method.name().equals(name) || name.endsWith(")") && method.signature().startsWith(name)) {
                    found.add(methods[entry.base + method.index()]);
                }
            }
        }
        return found;
    }

    /** Has clients that open a service from now on hear of a method that programs answer. Any thread. */
    public void offer(String service, MethodOffer offer) {
        offers.computeIfAbsent(service, name -> new CopyOnWriteArrayList<>()).add(offer);
    }

    /** Has them hear of another place of a method's program. Any thread. */
    public void offerInPlaceOf(String service, MethodOffer old, MethodOffer offer) {
        offers.get(service).replaceAll(each -> each.equals(old) ? offer : each);
    }

    /** Writes what a client says to open a service: its name, its fingerprint, and those of its methods. */
    public static void writeOpen(WireWriter out, ServiceDescriptor<?> service) {
        Opening.writeRequest(out, service);
    }

    /** Returns what a call of a method fails with whose service its session has not opened. */
    public RpcException unopened(int number) {
        if (number >= methods.length) {
            return new RpcException(Status.UNIMPLEMENTED, "no method number=" + number + " here");
        }
        MethodDescriptor method = methods[number].descriptor;
        return new RpcException(Status.FAILED_PRECONDITION, "session has not opened the service of method number="
                + number + ": " + method.fullName());
    }

    /**
     * Handles what {@link #writeOpen} wrote: answers the number of the service's first method and its offers. A client
     * with another version of the interface has numbers of its own, for the methods that both understand and for those
     * whose calls fail.
     *
     * @param opened the methods that the session has opened so far, by number
     * @return those with the service's
     * @throws RpcException UNIMPLEMENTED for an unknown service, FAILED_PRECONDITION for an interface without a method
     *     that both understand, RESOURCE_EXHAUSTED when there are no numbers left
     */
    public Method[] open(WireReader in, WireWriter out, Method[] opened) {
        return open(in, out, opened, name -> { }, method -> true);
    }

    /**
     * As {@link #open(WireReader, WireWriter, Method[])}, for those who may not open everything.
     *
     * @param may is told the service's name, and throws where it may not be opened
     * @param programs says which method's program may be used
     */
    public Method[] open(WireReader in, WireWriter out, Method[] opened, Consumer<String> may,
            Predicate<MethodDescriptor> programs) {
        String name = in.readString();
        may.accept(name);
        long fingerprint = in.readLong();
        Entry entry = services.get(name);
        if (entry == null) {
            throw new RpcException(Status.UNIMPLEMENTED, "no service name=" + name + " here; services="
                    + services.keySet());
        }
        if (entry.descriptor.fingerprint() != fingerprint) {
            return openVersion(entry, fingerprint, in, out, opened);
        }
        out.writeInt(entry.base);
        MethodOffer[] offered = offers.getOrDefault(name, List.of()).stream()
                .filter(offer -> programs.test(entry.descriptor.methods().get(offer.index())))
                .toArray(MethodOffer[]::new);
        out.writeCount(offered.length);
        for (MethodOffer offer : offered) {
            offer.write(out);
        }
        int end = entry.base + entry.descriptor.methods().size();
        Method[] more = Arrays.copyOf(opened, Math.max(opened.length, end));
        System.arraycopy(methods, entry.base, more, entry.base, end - entry.base);
        return more;
    }

    private Method[] openVersion(Entry entry, long fingerprint, WireReader in, WireWriter out, Method[] opened) {
        String name = entry.descriptor.name();
        for (int i = methods.length; i < opened.length; i++) {
            if (opened[i].objects instanceof OtherVersion other && other.peer().service().equals(name)
                    && other.peer().fingerprint() == fingerprint) {
                Opening.writeAnswer(out, other.peer().base(), other.peer().shorter());
                return opened;
            }
        }
        ServiceSchema client = Opening.readClient(name, fingerprint, in);
        Agreement agreement = Agreement.of(client, schemas.computeIfAbsent(name, key -> schema(entry.descriptor)));
        if (agreement.isEmpty()) {
            throw new RpcException(Status.FAILED_PRECONDITION, Differences.of(entry.descriptor, client));
        }
        int base = Math.max(methods.length, opened.length);
        int end = base + client.methods().size();
        if (end > Math.min(methods.length + Opening.MAX_METHODS, RpcHeader.OPEN)) {
            throw new RpcException(Status.RESOURCE_EXHAUSTED, "a session has too many methods of other versions: "
                    + (end - methods.length) + " limit=" + Opening.MAX_METHODS);
        }
        Opening.writeAnswer(out, base, agreement.shorter());
        ObjectCodec objects = new OtherVersion(methods[entry.base].objects,
                agreement.fields().stream().mapToInt(Integer::intValue).toArray(),
                new OtherVersion.Peer(name, fingerprint, base, agreement.shorter()));
        Method[] more = Arrays.copyOf(opened, end);
        for (int i = 0; i < client.methods().size(); i++) {
            Agreement.Outcome outcome = agreement.methods().get(i);
            if (outcome.index() < 0) {
                more[base + i] = Refused.method(name, client.methods().get(i), outcome, objects);
            } else {
                Method own = methods[entry.base + outcome.index()];
                more[base + i] = new Method(own.descriptor, own.skeleton, objects, own.number);
            }
        }
        return more;
    }

    /** Returns what a service is on the wire; without methods where its descriptor was made by hand. */
    private static ServiceSchema schema(ServiceDescriptor<?> service) {
        try {
            return ServiceSchema.of(service);
        } catch (IllegalArgumentException e) {
            return new ServiceSchema(service.name(), service.fingerprint(), 0, List.of());
        }
    }
}
