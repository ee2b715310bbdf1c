package org.jvrpc.router.control.move;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.List;
import org.jvrpc.router.control.embedded.EnsembleFolder;
import org.jvrpc.tcp.tls.TlsOptions;

/**
 * A key and a certificate by which routers of a test prove themselves to each other: those of an ensemble's folder.
 *
 * @param sha256 of the certificate
 */
record PeerKeys(TlsOptions options, byte[] sha256) {

    /** Makes them. @param folder that is not there yet */
    static PeerKeys make(Path folder) throws IOException, InterruptedException, GeneralSecurityException {
        EnsembleFolder files = EnsembleFolder.open(folder, List.of());
        char[] password = Files.readString(folder.resolve("server.password")).strip().toCharArray();
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(folder.resolve("server.p12"))) {
            store.load(in, password);
        }
        String alias = store.aliases().nextElement();
        Path key = Files.writeString(folder.resolve("key.pem"), "-----BEGIN PRIVATE KEY-----\n"
                + Base64.getMimeEncoder().encodeToString(store.getKey(alias, password).getEncoded())
                + "\n-----END PRIVATE KEY-----\n");
        return new PeerKeys(TlsOptions.parse("?chain=" + files.trustFile() + "&key=" + key + "&trust="
                + files.trustFile()), MessageDigest.getInstance("SHA-256").digest(store.getCertificate(alias)
                .getEncoded()));
    }
}
