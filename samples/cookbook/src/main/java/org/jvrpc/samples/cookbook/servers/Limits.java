package org.jvrpc.samples.cookbook.servers;

import org.jvrpc.api.RpcException;
import org.jvrpc.api.RpcService;
import org.jvrpc.runtime.PrincipalLimits;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.runtime.SessionLimits;

/** What a client may cost: one more is refused, with the limit in the message, and may be tried again. */
@SuppressWarnings("try") // Servers are there to be closed, not to be named.
public final class Limits {

    private Limits() {
    }

    // snippet begins
    @RpcService
    public interface Tally {
        int next();
    }

    public static void main(String[] args) {
        try (RpcServer server = RpcServer.builder().bind("inproc://tally").service(Tally.class, () -> 1)
                     .limits(new SessionLimits().maxSessions(1))
                     .principalLimits(new PrincipalLimits().callsPerSecond(1000))
                     .start();
             RpcClient client = RpcClient.connect("inproc://tally")) {
            System.out.println(client.stub(Tally.class).next());
            try (RpcClient another = RpcClient.connect("inproc://tally")) {
                System.out.println(another.stub(Tally.class).next());
            } catch (RpcException e) {
                System.out.println(e.status());
            }
        }
    }
    // snippet ends
}
