package org.jvrpc.tools.call;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.reflection.Reflection;
import org.jvrpc.api.schema.SchemaJson;
import org.jvrpc.api.schema.ServiceSchema;
import org.jvrpc.runtime.RpcClient;

/** What a server has that runs. */
public final class RunningServer {

    /** What every server may have: of the same version as its jvRPC, and no user's. */
    private static final String OWN = "org.jvrpc.api.";

    private RunningServer() {
    }

    /**
     * Returns its users' services.
     *
     * @throws IOException when there is none, or it does not describe itself; the message names the address
     */
    public static List<ServiceSchema> services(String address) throws IOException {
        try (RpcClient client = RpcClient.builder(address).slots(2).connect()) {
            Reflection reflection = client.stub(Reflection.class);
            List<ServiceSchema> services = new ArrayList<>();
            for (String name : reflection.services()) {
                if (!name.startsWith(OWN)) {
                    services.add(SchemaJson.read(reflection.describe(name).descriptor()));
                }
            }
            return services;
        } catch (RpcException | IllegalArgumentException e) {
            throw new IOException("the services of " + address + " cannot be read: " + e.getMessage(), e);
        }
    }
}
