package org.jvrpc.runtime.introspect;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.reflection.MethodTraits;
import org.jvrpc.api.reflection.Reflection;
import org.jvrpc.api.reflection.ServiceDescription;
import org.jvrpc.api.schema.SchemaJson;
import org.jvrpc.api.schema.ServiceSchema;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.runtime.service.ServiceTable;

/** The services of one server, for those who were built without them. Any thread. */
public final class ReflectionTable implements Reflection {

    private final ServiceTable services;
    /** Of those that somebody asked for: they do not change. */
    private final Map<String, ServiceDescription> described = new ConcurrentHashMap<>();

    /** @param services of a server that runs, or soon will */
    public ReflectionTable(ServiceTable services) {
        this.services = services;
    }

    @Override
    public List<String> services() {
        return List.copyOf(services.names());
    }

    @Override
    public ServiceDescription describe(String service) {
        ServiceDescriptor<?> descriptor = services.descriptor(service);
        if (descriptor == null) {
            throw new RpcException(Status.NOT_FOUND, "no service \"" + service + "\" here: there are "
                    + String.join(", ", services.names()));
        }
        return described.computeIfAbsent(service, name -> new ServiceDescription(
                SchemaJson.write(ServiceSchema.of(descriptor)),
                descriptor.methods().stream().map(ReflectionTable::traits).toList()));
    }

    private static MethodTraits traits(MethodDescriptor method) {
        return new MethodTraits(method.heavy(), method.idempotent(), method.offload(),
                Duration.ofNanos(method.deadlineNs()));
    }
}
