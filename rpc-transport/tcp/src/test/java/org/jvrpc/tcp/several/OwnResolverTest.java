package org.jvrpc.tcp.several;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.RpcException;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.balance.ConnectionBackoff;
import org.jvrpc.runtime.balance.ServerStatus;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.contract.several.Site;
import org.jvrpc.runtime.contract.several.SiteServer;

/** A resolver of a user's own, which a service file names: the one that the cookbook shows. */
class OwnResolverTest implements TcpPlaces {

    @TempDir
    private Path folder;

    @Test
    void aClientFindsServersByAResolverThatAServiceFileNames() throws IOException {
        Path file = folder.resolve("orders.servers");
        String target = file.toUri().toString();
        RpcException e = assertThrows(RpcException.class, () -> RpcClient.connect(target));
        assertTrue(e.getMessage().contains("cannot be read"), e.getMessage());
        try (SiteServer a = new SiteServer("a", newAddress()); SiteServer b = new SiteServer("b", newAddress())) {
            Files.writeString(file, a.address);
            try (RpcClient client = RpcClient.builder(target).connectionBackoff(new ConnectionBackoff(
                    Duration.ofMillis(5), 1.6, 0.2, Duration.ofMillis(50))).connect()) {
                Site site = client.stub(Site.class, CallOptions.DEFAULT.withWaitForReady());
                assertEquals("a", site.name());
                Files.writeString(file, b.address);
                a.kill();
                Await.until("the client to look again", () -> client.servers().stream().map(ServerStatus::address)
                        .toList().equals(List.of(b.address)));
                assertEquals("b", site.name());
            }
        }
    }
}
