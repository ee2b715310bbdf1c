package org.jvrpc.tools.call;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.reflection.Reflection;
import org.jvrpc.api.reflection.ServiceDescription;
import org.jvrpc.api.schema.DescriptorFiles;
import org.jvrpc.api.schema.SchemaJson;
import org.jvrpc.api.schema.ServiceSchema;
import org.jvrpc.api.stub.RpcChannel;
import org.jvrpc.recording.dynamic.DynamicService;
import org.jvrpc.runtime.RpcClient;

/** A server that a command speaks to, and what is known of its services. One thread. */
final class Remote implements AutoCloseable {

    private final RpcClient client;
    private final CallOptions options;
    /** Known from files; null to ask the server. */
    private final List<ServiceSchema> known;
    private Reflection reflection;

    /** @param descriptors a file, folder or jar that says what the services are; null to ask the server */
    Remote(RemoteOptions remote, Path descriptors) {
        this.known = descriptors == null ? null : read(remote, descriptors);
        this.options = remote.options();
        this.client = remote.connect();
    }

    /** @param client whose server is asked; closed with this */
    Remote(RpcClient client, CallOptions options) {
        this.known = null;
        this.options = options;
        this.client = client;
    }

    private static List<ServiceSchema> read(RemoteOptions remote, Path descriptors) {
        try {
            return DescriptorFiles.read(descriptors);
        } catch (IOException e) {
            throw remote.misuse(e.getMessage());
        }
    }

    RpcClient client() {
        return client;
    }

    CallOptions options() {
        return options;
    }

    /** Returns the way to the server's description of itself. @throws UndescribedException when it gives none */
    private Reflection reflection() {
        if (reflection == null) {
            try {
                reflection = client.stub(Reflection.class, options);
            } catch (RpcException e) {
                throw e.status() != Status.UNIMPLEMENTED ? e : new UndescribedException("the server at "
                        + client.address() + " does not describe its services: make it with reflection(true), or name"
                        + " its jar or descriptors by --descriptor", e);
            }
        }
        return reflection;
    }

    /** Returns the names of the services, sorted. */
    List<String> services() {
        List<String> names = new ArrayList<>(known == null ? reflection().services()
                : known.stream().map(ServiceSchema::name).toList());
        names.sort(null);
        return names;
    }

    /** Returns a service by its name on the wire. @throws RpcException NOT_FOUND when there is none */
    DynamicService service(String name) {
        if (known == null) {
            ServiceDescription told = reflection().describe(name);
            return new DynamicService(SchemaJson.read(told.descriptor()), told.methods());
        }
        return known.stream().filter(schema -> schema.name().equals(name)).findFirst()
                .map(schema -> new DynamicService(schema, List.of()))
                .orElseThrow(() -> new RpcException(Status.NOT_FOUND, "no service \"" + name + "\" in the descriptors:"
                        + " there are " + String.join(", ", services())));
    }

    ServiceDescription description(String name) {
        return known == null ? reflection().describe(name)
                : new ServiceDescription(SchemaJson.write(service(name).schema()), List.of());
    }

    /** Opens a service. @throws RpcException when the server has none, or another version of it */
    RpcChannel open(DynamicService service) {
        return client.stub(service, options);
    }

    @Override
    public void close() {
        client.close();
    }
}
