package org.jvrpc.runtime.service;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.api.stub.Skeleton;
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

    private static final int MAX_NAMED = 8;

    private final Map<String, Entry> services = new LinkedHashMap<>();
    private final Map<String, List<MethodOffer>> offers = new ConcurrentHashMap<>();
    private Method[] methods = new Method[0];

    /** One service, with the number of its first method. */
    private record Entry(ServiceDescriptor<?> descriptor, int base) {
    }

    /** One method, as a request finds it. */
    public record Method(MethodDescriptor descriptor, Skeleton skeleton, ObjectCodec objects) {
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
            more[base + method.index()] = new Method(method, skeleton, objects);
        }
        if (more.length > RpcHeader.OPEN) {
            throw new IllegalArgumentException("too many methods: " + more.length);
        }
        methods = more;
    }

    public boolean isEmpty() {
        return services.isEmpty();
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

    /** Writes what a client says to open a service: its name, its fingerprint, and those of its methods. */
    public static void writeOpen(WireWriter out, ServiceDescriptor<?> service) {
        out.writeString(service.name());
        out.writeLong(service.fingerprint());
        out.writeCount(service.methods().size());
        for (MethodDescriptor method : service.methods()) {
            out.writeString(method.signature());
            out.writeLong(method.fingerprint());
        }
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
     * Handles what {@link #writeOpen} wrote: answers the number of the service's first method and its offers.
     *
     * @param opened the methods that the session has opened so far, by number
     * @return those with the service's
     * @throws RpcException UNIMPLEMENTED for an unknown service, FAILED_PRECONDITION for another interface
     */
    public Method[] open(WireReader in, WireWriter out, Method[] opened) {
        String name = in.readString();
        long fingerprint = in.readLong();
        Entry entry = services.get(name);
        if (entry == null) {
            throw new RpcException(Status.UNIMPLEMENTED, "no service name=" + name + " here; services="
                    + services.keySet());
        }
        if (entry.descriptor.fingerprint() != fingerprint) {
            throw new RpcException(Status.FAILED_PRECONDITION, difference(entry.descriptor, fingerprint, in));
        }
        out.writeInt(entry.base);
        MethodOffer[] offered = offers.getOrDefault(name, List.of()).toArray(new MethodOffer[0]);
        out.writeCount(offered.length);
        for (MethodOffer offer : offered) {
            offer.write(out);
        }
        int end = entry.base + entry.descriptor.methods().size();
        Method[] more = Arrays.copyOf(opened, Math.max(opened.length, end));
        System.arraycopy(methods, entry.base, more, entry.base, end - entry.base);
        return more;
    }

    private static String difference(ServiceDescriptor<?> server, long clientFingerprint, WireReader in) {
        Map<String, Long> client = new TreeMap<>();
        int count = in.readCount(12);
        for (int i = 0; i < count; i++) {
            String signature = in.readString();
            client.put(signature, in.readLong());
        }
        List<String> both = new ArrayList<>();
        Map<String, Long> own = new TreeMap<>();
        for (MethodDescriptor method : server.methods()) {
            own.put(method.signature(), method.fingerprint());
        }
        own.forEach((signature, fingerprint) -> {
            if (!fingerprint.equals(client.get(signature))) {
                both.add("server has " + brief(signature));
            }
        });
        client.forEach((signature, fingerprint) -> {
            if (!fingerprint.equals(own.get(signature))) {
                both.add("client has " + brief(signature));
            }
        });
        String methods = both.isEmpty() ? "the registered classes of object graphs" : String.join("; ",
                both.subList(0, Math.min(both.size(), MAX_NAMED))) + (both.size() > MAX_NAMED ? "; …" : "");
        return String.format(
                "interface of service name=%s differs: server fingerprint=%016x client fingerprint=%016x: %s",
                server.name(), server.fingerprint(), clientFingerprint, methods);
    }

    private static String brief(String signature) {
        return signature.length() <= 200 ? signature : signature.substring(0, 200) + "…";
    }
}
