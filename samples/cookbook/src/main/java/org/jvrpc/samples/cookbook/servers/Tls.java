package org.jvrpc.samples.cookbook.servers;

import java.nio.file.Path;
import org.jvrpc.api.RpcService;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;

/** Certificates of both sides: each proves itself, and a handler knows who calls. */
@SuppressWarnings("try") // Servers are there to be closed, not to be named.
public final class Tls {

    private Tls() {
    }

    // snippet begins
    @RpcService
    public interface Vault {
        String open();
    }

    /** Takes a folder with ca.pem, server.pem, server.key, client.pem and client.key. */
    public static void main(String[] args) {
        Path folder = Path.of(args[0]);
        Vault vault = () -> "opened for " + RpcServer.context().principal().name();
        String own = "?chain=" + folder.resolve("server.pem") + "&key=" + folder.resolve("server.key")
                + "&trust=" + folder.resolve("ca.pem"); // with trust, clients need a certificate
        try (RpcServer server = RpcServer.builder().bind("tls://localhost:0" + own).service(Vault.class, vault)
                     .context(true).start();
             RpcClient client = RpcClient.connect(server.address().replaceFirst("[?].*", "")
                     + "?trust=" + folder.resolve("ca.pem") + "&chain=" + folder.resolve("client.pem")
                     + "&key=" + folder.resolve("client.key"))) {
            System.out.println(client.stub(Vault.class).open());
        }
    }
    // snippet ends
}
