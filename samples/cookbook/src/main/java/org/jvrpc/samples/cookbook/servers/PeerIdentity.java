package org.jvrpc.samples.cookbook.servers;

import java.time.Instant;
import java.util.Map;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.RpcService;
import org.jvrpc.api.auth.Access;
import org.jvrpc.api.auth.CallCredentials;
import org.jvrpc.api.auth.RpcPrincipal;
import org.jvrpc.api.auth.TokenVerifier;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;

/** Who calls, and what they may: users of this host by the kernel's word, others by their tokens. */
@SuppressWarnings("try") // Servers are there to be closed, not to be named.
public final class PeerIdentity {

    private PeerIdentity() {
    }

    // snippet begins
    @RpcService
    public interface Payroll {
        String whoAmI();

        void raise(String name);
    }

    public static void main(String[] args) {
        Payroll payroll = new Payroll() {
            @Override
            public String whoAmI() {
                return RpcServer.context().principal().name();
            }

            @Override
            public void raise(String name) {
                System.out.println("a raise for " + name);
            }
        };
        RpcPrincipal ann = RpcPrincipal.token("ann", Instant.now().plusSeconds(3600));
        String address = "unix:///tmp/jvrpc-cookbook-payroll-" + ProcessHandle.current().pid();
        try (RpcServer server = RpcServer.builder().bind(address).service(Payroll.class, payroll).context(true)
                     .tokens(TokenVerifier.of(Map.of("s3cret", ann)))
                     .authorizer((who, access) -> access.step() == Access.Step.CALL
                             && access.method().name().equals("raise") && !who.name().equals("ann")
                             ? "raises are for ann" : null)
                     .start();
             RpcClient client = RpcClient.connect(address)) {
            System.out.println(client.stub(Payroll.class).whoAmI().equals(System.getProperty("user.name")));
            Payroll ofAnn = client.stub(Payroll.class,
                    CallOptions.DEFAULT.withCredentials(CallCredentials.bearer(() -> "s3cret")));
            System.out.println(ofAnn.whoAmI());
            ofAnn.raise("bob");
            client.stub(Payroll.class).raise("me");
        } catch (RpcException e) {
            System.out.println(e.status() + ": " + e.getMessage());
        }
    }
    // snippet ends
}
