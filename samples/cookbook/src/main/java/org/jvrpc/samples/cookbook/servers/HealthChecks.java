package org.jvrpc.samples.cookbook.servers;

import org.jvrpc.api.RpcService;
import org.jvrpc.api.health.Health;
import org.jvrpc.api.health.ServingStatus;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;

/** A server says which of its services can serve; clients leave out servers that cannot. */
@SuppressWarnings("try") // Servers are there to be closed, not to be named.
public final class HealthChecks {

    private HealthChecks() {
    }

    // snippet begins
    @RpcService
    public interface Database {
        int rows();
    }

    public static void main(String[] args) {
        try (RpcServer server = RpcServer.builder().bind("inproc://database").service(Database.class, () -> 3).start();
             RpcClient client = RpcClient.connect("inproc://database")) {
            Health health = client.stub(Health.class); // every server has it
            String service = Database.class.getCanonicalName();
            System.out.println(health.check("") + " " + health.check(service));
            server.health().set(service, ServingStatus.NOT_SERVING); // the disk is full
            System.out.println(health.watch(service, ServingStatus.SERVING).join()); // once it is another
            server.health().set(service, ServingStatus.SERVING);
            System.out.println(health.check(service) + " " + health.check("org.acme.Nobody"));
        }
    }
    // snippet ends
}
