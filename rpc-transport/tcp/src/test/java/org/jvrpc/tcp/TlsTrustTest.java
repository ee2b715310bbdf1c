package org.jvrpc.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.runtime.balance.LeastSecurity;
import org.jvrpc.runtime.balance.LoadBalancing;
import org.jvrpc.verbs.VerbsException;

/** Who is trusted over TLS, and what those are told who are not. */
class TlsTrustTest {

    private static final TlsFiles OTHER = TlsFiles.make("other.example", "san=dns:other.example");

    @TempDir
    private Path folder;

    private static RpcServer serve(String scheme, String query) {
        return RpcServer.builder().bind(scheme + "://127.0.0.1:0" + query).service(Adder.class, Integer::sum).start();
    }

    private static String client(RpcServer server, String query) {
        return server.address().replaceFirst("[?].*", "") + query;
    }

    private static void call(String address) {
        try (RpcClient client = RpcClient.connect(address)) {
            assertEquals(5, client.stub(Adder.class).add(2, 3));
        }
    }

    private static String refused(Status status, String address) {
        RpcException e = assertThrows(RpcException.class, () -> call(address));
        assertEquals(status, e.status(), e.getMessage());
        return e.getMessage();
    }

    private static void says(String message, String part) {
        assertTrue(message.contains(part), message);
    }

    @Test
    void aServerWhomNobodyVouchesForIsRefused() {
        try (RpcServer server = serve("tls", "?" + TlsFiles.own().proof())) {
            says(refused(Status.UNAVAILABLE, client(server, "")), "certification path");
            says(refused(Status.UNAVAILABLE, client(server, "?" + OTHER.trust())), "certification path");
            call(client(server, "?" + TlsFiles.own().trust()));
        }
    }

    @Test
    void aCertificateOfAnotherNameIsRefused() {
        try (RpcServer server = serve("tls", "?" + OTHER.proof())) {
            says(refused(Status.UNAVAILABLE, client(server, "?" + OTHER.trust())), "127.0.0.1");
        }
        try (RpcServer server = serve("tls", "?" + TlsFiles.own().proof())) {
            call(client(server, "?" + TlsFiles.own().trust()).replace("127.0.0.1", "localhost"));
        }
    }

    @Test
    void aClientMaySayWhichNameAServerProvesWhateverItsHostIsCalled() {
        try (RpcServer server = serve("tls", "?" + OTHER.proof())) {
            call(client(server, "?" + OTHER.trust() + "&name=other.example"));
            says(refused(Status.UNAVAILABLE, client(server, "?" + OTHER.trust() + "&name=third.example")),
                    "third.example");
        }
    }

    @Test
    void aCertificateOfAnotherNameIsRefusedBehindAResolversAddressAndInAList() throws IOException {
        Path names = folder.resolve("adders.servers");
        Path both = Files.writeString(folder.resolve("both.pem"),
                Files.readString(TlsFiles.own().chain()) + Files.readString(OTHER.chain()));
        String options = "trust=" + both + "&name=other.example";
        try (RpcServer right = serve("tls", "?" + OTHER.proof());
                RpcServer wrong = RpcServer.builder().bind("tls://127.0.0.1:0?" + TlsFiles.own().proof())
                        .service(Adder.class, (a, b) -> -1).start()) {
            String list = "list:" + client(wrong, "?" + options);
            says(refused(Status.UNAVAILABLE, list), "other.example");
            Files.writeString(names, client(wrong, ""));
            RpcException e = assertThrows(RpcException.class, () -> resolved(names, options).close());
            assertEquals(Status.UNAVAILABLE, e.status(), e.getMessage());
            says(e.getMessage(), "other.example");
            Files.writeString(names, client(wrong, "") + "\n" + client(right, ""));
            try (RpcClient listed = RpcClient.builder(list + "," + client(right, "?" + options))
                    .loadBalancing(LoadBalancing.roundRobin()).connect(); RpcClient found = resolved(names, options)) {
                for (int i = 0; i < 10; i++) {
                    assertEquals(5, listed.stub(Adder.class).add(2, 3));
                    assertEquals(5, found.stub(Adder.class).add(2, 3));
                }
            }
        }
    }

    private static RpcClient resolved(Path names, String options) {
        return RpcClient.builder(names.toUri().toString()).addressOptions("tls", options)
                .leastSecurity(LeastSecurity.ENCRYPTED).loadBalancing(LoadBalancing.roundRobin()).connect();
    }

    @Test
    void aClientThatDoesNotSpeakTlsIsToldWhatToDo() {
        try (RpcServer server = serve("tls", "?" + TlsFiles.own().proof())) {
            says(refused(Status.FAILED_PRECONDITION, client(server, "").replace("tls", "tcp")), "tls://");
            call(client(server, "?" + TlsFiles.own().trust()));
        }
    }

    @Test
    void aServerThatDoesNotSpeakTlsIsNamed() {
        try (RpcServer server = serve("tcp", "")) {
            says(refused(Status.UNAVAILABLE, client(server, "?" + TlsFiles.own().trust()).replace("tcp", "tls")),
                    "does it speak TLS?");
            call(server.address());
        }
    }

    @Test
    void aClientProvesItselfWhereTheServerAsks() {
        try (RpcServer server = serve("tls", "?" + TlsFiles.own().proof() + "&" + OTHER.trust())) {
            String trust = "?" + TlsFiles.own().trust();
            refused(Status.UNAVAILABLE, client(server, trust));
            refused(Status.UNAVAILABLE, client(server, trust + "&" + TlsFiles.own().proof()));
            call(client(server, trust + "&" + OTHER.proof()));
        }
    }

    @Test
    void filesThatHaveChangedAreReadAgain() throws IOException {
        Path chain = Files.copy(OTHER.chain(), folder.resolve("chain"));
        Path key = Files.copy(OTHER.key(), folder.resolve("key"));
        try (RpcServer server = serve("tls", "?chain=" + chain + "&key=" + key)) {
            String address = client(server, "?" + TlsFiles.own().trust());
            refused(Status.UNAVAILABLE, address);
            Files.copy(TlsFiles.own().key(), key, StandardCopyOption.REPLACE_EXISTING);
            Files.copy(TlsFiles.own().chain(), chain, StandardCopyOption.REPLACE_EXISTING);
            Files.setLastModifiedTime(chain, FileTime.fromMillis(1));
            call(address);
            Files.writeString(key, "no key");
            refused(Status.UNAVAILABLE, address);
            Files.copy(TlsFiles.own().key(), key, StandardCopyOption.REPLACE_EXISTING);
            Files.setLastModifiedTime(key, FileTime.fromMillis(2));
            call(address);
        }
    }

    @Test
    void filesThatMakeNoSenseAreNamed() throws IOException {
        Path no = folder.resolve("no");
        says(assertThrows(VerbsException.class, () -> serve("tls", "")).getMessage(), "chain=FILE&key=FILE");
        says(assertThrows(VerbsException.class, () -> serve("tls", "?chain=" + no + "&key=" + no)).getMessage(),
                no.toString());
        Files.writeString(no, "words");
        String chain = "?chain=" + TlsFiles.own().chain();
        says(assertThrows(VerbsException.class, () -> serve("tls", chain + "&key=" + no)).getMessage(), no.toString());
        says(assertThrows(VerbsException.class,
                () -> serve("tls", "?chain=" + no + "&key=" + TlsFiles.own().key())).getMessage(), no.toString());
        for (String query : new String[] {chain, "?key=" + no, "?chain=", "?", "?chain=a&key=b&color=red"}) {
            says(assertThrows(IllegalArgumentException.class, () -> serve("tls", query)).getMessage(), query);
        }
    }
}
