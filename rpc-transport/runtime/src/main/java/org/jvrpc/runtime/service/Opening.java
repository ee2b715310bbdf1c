package org.jvrpc.runtime.service;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.schema.Layout;
import org.jvrpc.api.schema.MethodSchema;
import org.jvrpc.api.schema.ServiceSchema;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.api.wire.WireReader;
import org.jvrpc.api.wire.WireWriter;

/**
 * What goes to and fro when a client opens a service, in the layout of {@link org.jvrpc.api.wire}:
 *
 * <pre>
 * client: name | fingerprint:64 | methods:32, for each: signature, fingerprint:64 | objects' fingerprint:64
 * server: number of the first method:32 | offers
 *         and, where the fingerprints differ:  | records:32, for each: name, components that travel:16
 * </pre>
 * Clients and servers that compared nothing but the fingerprints read neither the last of the client's nor that of the
 * server's: these stand at the end. The methods of a client with another version have numbers of their own in its
 * session, in its order.
 */
public final class Opening {

    /** Signatures of a client are read up to so many characters. */
    private static final int MAX_CHARS = 1 << 18;
    /** A session has so many methods of other versions at most: what it keeps of them is bounded by that. */
    static final int MAX_METHODS = 1 << 12;
    private static final int MIN_METHOD_BYTES = 12;
    private static final int MIN_RECORD_BYTES = 6;

    private Opening() {
    }

    /** Writes what a client says to open a service. */
    static void writeRequest(WireWriter out, ServiceDescriptor<?> service) {
        out.writeString(service.name());
        out.writeLong(service.fingerprint());
        out.writeCount(service.methods().size());
        for (MethodDescriptor method : service.methods()) {
            out.writeString(method.signature());
            out.writeLong(method.fingerprint());
        }
        out.writeLong(service.objectsFingerprint());
    }

    /** Reads what a client says behind the name and the fingerprint, when these do not do. */
    static ServiceSchema readClient(String name, long fingerprint, WireReader in) {
        int count = in.readCount(MIN_METHOD_BYTES);
        if (count > MAX_METHODS) {
            throw new RpcException(Status.INVALID_ARGUMENT, "service name=" + name + " has more methods than "
                    + MAX_METHODS + ": " + count);
        }
        List<MethodSchema> methods = new ArrayList<>();
        int chars = 0;
        for (int i = 0; i < count; i++) {
            String signature = in.readString();
            in.readLong();
            chars += signature.length();
            if (chars > MAX_CHARS) {
                throw new RpcException(Status.INVALID_ARGUMENT, "signatures of service name=" + name
                        + " are longer than chars=" + MAX_CHARS);
            }
            methods.add(read(signature));
        }
        return new ServiceSchema(name, fingerprint, in.remaining() >= Long.BYTES ? in.readLong() : 0, methods);
    }

    /** Reads a signature; one of a grammar that is not known here is that of a method that is not, either. */
    private static MethodSchema read(String signature) {
        try {
            return MethodSchema.parse(signature);
        } catch (IllegalArgumentException e) {
            return MethodSchema.unread(signature);
        }
    }

    /** Writes what a client with another version hears. */
    static void writeAnswer(WireWriter out, int base, Map<String, Integer> shorter) {
        out.writeInt(base);
        out.writeCount(0);
        out.writeCount(shorter.size());
        new TreeMap<>(shorter).forEach((name, components) -> {
            out.writeString(name);
            out.writeShort(components.shortValue());
        });
    }

    /**
     * Reads the end of the answer, at a client.
     *
     * @return how many components travel of each of its growing records and exceptions; null when all do
     * @throws RpcException INTERNAL when the server says what cannot be
     */
    public static int[] readShorter(WireReader in, ServiceDescriptor<?> service) {
        int count = in.remaining() == 0 ? 0 : in.readCount(MIN_RECORD_BYTES);
        if (count == 0) {
            return null;
        }
        List<Layout> growing = ServiceSchema.of(service).growing();
        int[] fields = new int[growing.size()];
        Arrays.fill(fields, Integer.MAX_VALUE);
        for (int i = 0; i < count; i++) {
            String name = in.readString();
            int components = in.readShort() & 0xffff;
            int at = growing.stream().map(Layout::name).toList().indexOf(name);
            if (at < 0 || components < growing.get(at).base() || components >= growing.get(at).parts().size()) {
                throw new RpcException(Status.INTERNAL, "server answered with components=" + components
                        + " of record name=" + name + " in service name=" + service.name());
            }
            fields[at] = components;
        }
        return fields;
    }
}
