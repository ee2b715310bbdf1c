package org.jvrpc.samples.cookbook.servers;

import org.jvrpc.api.RpcService;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.runtime.balance.LoadBalancing;

/** Servers register with ZooKeeper, and clients find them there. */
@SuppressWarnings("try") // Servers are there to be closed, not to be named.
public final class Discovery {

    private Discovery() {
    }

    // snippet begins
    @RpcService
    public interface Members {
        int number();
    }

    /** Takes an ensemble: host:2181,host:2181. */
    public static void main(String[] args) {
        String target = "zk://" + args[0] + "/members";
        RpcServer first = member("tcp://127.0.0.1:0", 1, target);
        try (RpcServer second = member("tcp://127.0.0.1:0", 2, target);
             RpcClient client = RpcClient.builder(target).loadBalancing(LoadBalancing.roundRobin()).connect()) {
            Members members = client.stub(Members.class);
            int seen = 0;
            while (seen != 0b110) {
                seen |= 1 << members.number();
            }
            System.out.println("both have answered");
            first.close(); // its znode goes first
            while (client.servers().size() > 1) {
                members.number(); // no call fails meanwhile
            }
            System.out.println("left: " + members.number());
        } finally {
            first.close();
        }
    }

    private static RpcServer member(String address, int number, String target) {
        return RpcServer.builder().bind(address).service(Members.class, () -> number).register(target).start();
    }
    // snippet ends
}
