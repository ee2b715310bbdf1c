package org.jvrpc.api.schema;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.jvrpc.api.stub.ServiceDescriptor;

/**
 * A service on the wire.
 *
 * @param name on the wire
 * @param fingerprint hash of all that must be equal for two sides that need not compare anything else
 * @param objects hash of the classes of object graphs and their order; 0 for none, or when it is not known
 * @param methods by index
 */
public record ServiceSchema(String name, long fingerprint, long objects, List<MethodSchema> methods) {

    public ServiceSchema {
        methods = List.copyOf(methods);
    }

    /** Returns what generated code says of its service. */
    public static ServiceSchema of(ServiceDescriptor<?> service) {
        return new ServiceSchema(service.name(), service.fingerprint(), service.objectsFingerprint(),
                service.methods().stream().map(method -> MethodSchema.parse(method.signature())).toList());
    }

    /** Returns the method with a key, or null. */
    public @Nullable MethodSchema find(String key) {
        return methods.stream().filter(method -> method.key().equals(key)).findFirst().orElse(null);
    }

    /**
     * Returns the records and exceptions that have components with {@code @Since}, sorted by name: the place of one
     * among them is the number by which generated code asks {@link org.jvrpc.api.wire.WireWriter#fields}.
     */
    public List<Layout> growing() {
        SortedMap<String, Layout> growing = new TreeMap<>();
        for (MethodSchema method : methods) {
            List<Layout> all = new ArrayList<>(method.thrown());
            all.addAll(method.layouts().values());
            all.stream().filter(Layout::grows).forEach(layout -> growing.put(layout.name(), layout));
        }
        return List.copyOf(growing.values());
    }

    /** Returns the number of components of a record or exception; -1 when no method reaches it. */
    int components(String layout) {
        for (MethodSchema method : methods) {
            for (Layout exception : method.thrown()) {
                if (exception.name().equals(layout)) {
                    return exception.parts().size();
                }
            }
            Layout found = method.layouts().get(layout);
            if (found != null) {
                return found.parts().size();
            }
        }
        return -1;
    }

    /** Returns true when object graphs of both are the same bytes. */
    boolean hasObjectsOf(ServiceSchema other) {
        return fingerprint == other.fingerprint || objects != 0 && objects == other.objects;
    }
}
