package org.jvrpc.benchmarks.router;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jvrpc.benchmarks.harness.ThirdEnd;
import org.jvrpc.benchmarks.peer.TlsStore;
import org.jvrpc.router.RouterServer;
import org.jvrpc.router.Spin;
import org.jvrpc.router.control.file.FileView;
import org.jvrpc.router.peer.PeerLinks;
import org.jvrpc.tcp.tls.TlsOptions;

/**
 * The routers of two hosts in one process, which reach each other over {@code roce://} between two addresses of the
 * loopback device. Both prove themselves by one certificate, made for the run.
 */
final class HostsEnd implements ThirdEnd {

    /** Where the server's tenant lives. */
    static final String EAST = "e";
    /** Where the client's does. */
    static final String WEST = "w";

    private static final String ADDRESS = "127.0.0.";
    private static final int PATIENCE_MS = 30_000;
    private static final int LOOK_MS = 50;

    private final Placement placement = Placement.ofTwoHosts();
    private final boolean sealed;
    private final boolean placed;
    private final List<FileView> views = new ArrayList<>();
    private final List<RouterServer> servers = new ArrayList<>();

    /** @param sealed what they send is encrypted @param placed each is kept on the processor of its host */
    HostsEnd(boolean sealed, boolean placed) {
        this.sealed = sealed;
        this.placed = placed;
    }

    @Override
    public void start(Path directory) throws IOException, InterruptedException {
        Path own = RouterPlace.run(directory, EAST);
        TlsStore store = TlsStore.make(own);
        Path certificate = store.export(own.resolve("own.pem"));
        TlsOptions tls = TlsOptions.parse("?keystore=" + store.file() + "&password-file=" + store.passwordFile()
                + "&trust=" + certificate);
        String text = Files.readString(RouterPlace.control(directory));
        Path control = write(own, text);
        List<String> records = new ArrayList<>();
        for (String host : List.of(EAST, WEST)) {
            if (placed) {
                placement.threadsOf(host.equals(EAST));
            }
            String at = ADDRESS + (1 + servers.size());
            FileView view = new FileView(control, host);
            views.add(view);
            RouterServer.Abroad abroad = new RouterServer.Abroad(
                    PeerLinks.Settings.of(host, new InetSocketAddress("127.0.0.1", 0), tls), "roce://" + at + ":0",
                    sealed);
            RouterServer server = RouterServer.start(new RouterServer.Settings(RouterPlace.run(directory, host), host,
                    true, Spin.ADAPTIVE, true, abroad), new UnclaimedView(view), RouterEnd::print);
            servers.add(server);
            records.add("{\"host\": \"" + host + "\", \"control\": \"127.0.0.1:" + server.control().getPort()
                    + "\", \"data\": \"" + server.data() + "\", \"certificateSha256\": \"" + sha256(certificate)
                    + "\", \"incarnation\": " + server.incarnation() + ", \"version\": " + PeerLinks.VERSION + "}");
        }
        write(own, text.replace("\"epoch\": 1,", "\"epoch\": 2, \"routers\": [" + String.join(",\n", records) + "],"));
        awaitLinks();
    }

    /** After ten seconds of silence a router takes another for lost. */
    @Override
    public boolean canBeStopped() {
        return false;
    }

    private static Path write(Path folder, String text) throws IOException {
        return Files.move(Files.writeString(folder.resolve("next.json"), text), folder.resolve("control.json"),
                StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private void awaitLinks() throws IOException, InterruptedException {
        for (int waited = 0; views.get(0).router(WEST) == null || views.get(1).router(EAST) == null;
                waited += LOOK_MS) {
            if (waited > PATIENCE_MS) {
                throw new IOException("the routers do not know each other: " + views.get(0).trouble());
            }
            Thread.sleep(LOOK_MS);
        }
    }

    private static String sha256(Path pem) throws IOException {
        try (InputStream in = Files.newInputStream(pem)) {
            Certificate own = CertificateFactory.getInstance("X.509").generateCertificate(in);
            return Base64.getEncoder().encodeToString(MessageDigest.getInstance("SHA-256").digest(own.getEncoded()));
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
    }

    @Override
    public void close() {
        servers.forEach(RouterServer::close);
        views.forEach(FileView::close);
    }
}
