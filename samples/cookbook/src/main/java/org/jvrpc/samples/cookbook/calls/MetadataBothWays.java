package org.jvrpc.samples.cookbook.calls;

import java.util.concurrent.atomic.AtomicReference;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.Metadata;
import org.jvrpc.api.RpcService;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;

/** Names and values travel beside a call, and others beside its answer. */
@SuppressWarnings("try") // Servers are there to be closed, not to be named.
public final class MetadataBothWays {

    private MetadataBothWays() {
    }

    // snippet begins
    @RpcService
    public interface Pages {
        String page(int number);
    }

    public static void main(String[] args) {
        Pages pages = number -> {
            Metadata asked = RpcServer.context().metadata(); // of servers made with context(true)
            RpcServer.context().responseMetadata().put("served-by", "host7");
            return "page " + number + " in " + asked.get("language");
        };
        try (RpcServer server = RpcServer.builder().bind("inproc://pages").service(Pages.class, pages)
                     .context(true).start();
             RpcClient client = RpcClient.connect("inproc://pages")) {
            AtomicReference<Metadata> beside = new AtomicReference<>();
            CallOptions options = CallOptions.DEFAULT.withMetadata("language", "Welsh")
                    .withResponseMetadata(beside::set);
            System.out.println(client.stub(Pages.class, options).page(3));
            System.out.println(beside.get().get("served-by"));
        }
    }
    // snippet ends
}
