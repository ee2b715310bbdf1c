package org.jvrpc.samples.cookbook.watching;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.RpcService;
import org.jvrpc.api.auth.AuditEvent;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;

/** Who came, what they opened and what was refused: one line each, for a log or a list. */
@SuppressWarnings("try") // Servers are there to be closed, not to be named.
public final class AuditLogs {

    private AuditLogs() {
    }

    // snippet begins
    @RpcService
    public interface Secrets {
        String read(String name);
    }

    public static void main(String[] args) {
        List<AuditEvent> events = new CopyOnWriteArrayList<>();
        try (RpcServer server = RpcServer.builder().bind("inproc://secrets").service(Secrets.class, name -> "42")
                     .authorizer((who, access) -> access.method() == null ? null : "nobody reads secrets")
                     .audit(events::add) // Audit.slf4j() writes to the logger org.jvrpc.audit
                     .start();
             RpcClient client = RpcClient.connect("inproc://secrets")) {
            client.stub(Secrets.class).read("answer");
        } catch (RpcException e) {
            System.out.println(e.status());
        }
        events.stream().limit(3).forEach(event -> System.out.println(event.kind()));
    }
    // snippet ends
}
