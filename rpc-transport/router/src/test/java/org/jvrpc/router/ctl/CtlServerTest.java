package org.jvrpc.router.ctl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.router.Audit;
import org.jvrpc.testing.Waits;

class CtlServerTest {

    private static final long PATIENCE_MS = Waits.limitNs() / 1_000_000;

    @TempDir
    private Path folder;
    private final List<String> audited = new CopyOnWriteArrayList<>();
    private final Audit audit = (tenant, what, refusal, detail) -> audited.add(what + " " + refusal + " " + detail);
    private final CountDownLatch let = new CountDownLatch(1);
    private final AtomicInteger asked = new AtomicInteger();
    private final Map<String, Verb> verbs = Map.of(
            "echo", (words, waits) -> "heard: " + words + "\n",
            "fail", (words, waits) -> {
                throw new IOException("a disk\nis full");
            },
            "wait", (words, waits) -> {
                asked.incrementAndGet();
                let.await();
                return "waited\n";
            });
    private CtlServer server;

    private void start(String... admins) throws IOException {
        server = CtlServer.start(folder, List.of(admins), verbs, audit);
    }

    @AfterEach
    void stop() {
        let.countDown();
        if (server != null) {
            server.close();
        }
    }

    private String ask(String line) throws IOException {
        return CtlClient.ask(folder, line, PATIENCE_MS);
    }

    @Test
    void anAnswerIsWhatTheVerbSaysAndTheQuestionIsInTheAuditLog() throws IOException {
        start();
        assertEquals("heard: two words\n", ask("echo two words"));
        assertTrue(audited.get(0).matches("ctl null user=\\S+ asks=echo two words"), audited::toString);
    }

    @Test
    void theSocketIsItsUsersAloneUnlessOthersAreNamed() throws IOException {
        start();
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(server.path())));
        server.close();
        assertFalse(Files.exists(server.path()), "the socket is left");
        start("12345");
        assertEquals("rw-rw-rw-", PosixFilePermissions.toString(Files.getPosixFilePermissions(server.path())));
    }

    @Test
    void aUserWhoIsNoAdminIsRefusedBeforeAWordIsRead() throws IOException {
        UserPrincipal other = folder.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("54321");
        server = CtlServer.start(folder, List.of("12345"), verbs, socket -> other, audit);
        IOException e = assertThrows(IOException.class, () -> ask("echo"));
        assertEquals("refused: user=54321 is none of the router's admins", e.getMessage());
        assertEquals("[ctl WRONG_USER user=54321 is none of the router's admins]", audited.toString());
    }

    @Test
    void aUserWhoIsNamedMayAsk() throws IOException {
        UserPrincipal other = folder.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("12345");
        server = CtlServer.start(folder, List.of("12345"), verbs, socket -> other, audit);
        assertEquals("heard: \n", ask("echo"));
    }

    @Test
    void anAdminWhomNobodyKnowsIsRefused() {
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> start("no such user"));
        assertEquals("admin=no such user is no user of this host", e.getMessage());
        assertFalse(Files.exists(folder.resolve(CtlServer.SOCKET)), "a socket is left");
    }

    @Test
    void whatCannotBeDoneIsSaidInOneLine() throws IOException {
        start();
        assertEquals("refused: a disk is full", assertThrows(IOException.class, () -> ask("fail")).getMessage());
        assertEquals("refused: verb=sing is none of [echo, fail, wait]",
                assertThrows(IOException.class, () -> ask("sing a song")).getMessage());
    }

    @Test
    void aLineWithoutAnEndIsGivenUp() throws IOException {
        start();
        String answer = "";
        try {
            answer = CtlClient.ask(folder, "e".repeat(9000), PATIENCE_MS);
        } catch (IOException e) {
            answer = e.toString();
        }
        assertFalse(answer.contains("heard"), answer);
        assertEquals("heard: still\n", ask("echo still"));
    }

    @Test
    void whoSaysNothingHoldsUpNobody() throws IOException {
        start();
        try (SocketChannel silent = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            silent.connect(UnixDomainSocketAddress.of(server.path()));
            assertEquals("heard: me\n", ask("echo me"));
        }
    }

    @Test
    void moreQuestionsThanPlacesAreRefusedUntilOneIsFree() throws IOException {
        start();
        List<CompletableFuture<String>> waiting = new CopyOnWriteArrayList<>();
        for (int i = 0; i < 8; i++) {
            waiting.add(CompletableFuture.supplyAsync(() -> {
                try {
                    return ask("wait");
                } catch (IOException e) {
                    return e.getMessage();
                }
            }, task -> new Thread(task).start()));
        }
        Waits.until("eight questions", () -> asked.get() == 8);
        assertEquals("refused: questions at a time=8",
                assertThrows(IOException.class, () -> ask("echo")).getMessage());
        let.countDown();
        waiting.forEach(one -> assertEquals("waited\n", one.join()));
        Waits.until("a free place", () -> isAnswered());
    }

    private boolean isAnswered() {
        try {
            return ask("echo").equals("heard: \n");
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void aDeadRoutersSocketIsReplaced() throws IOException {
        Files.writeString(folder.resolve(CtlServer.SOCKET), "no socket");
        start();
        assertEquals("heard: \n", ask("echo"));
        try (var files = Files.list(folder)) {
            assertEquals(1, files.count(), "where the socket was born is left");
        }
    }

    @Test
    void theSocketOfTheNextRouterStays() throws IOException {
        start();
        CtlServer first = server;
        start();
        first.close();
        assertEquals("heard: \n", ask("echo"));
    }

    @Test
    void whereNoRouterIsItIsSaidHowOneIsStarted() {
        IOException e = assertThrows(IOException.class, () -> ask("show"));
        assertTrue(e.getMessage().contains("jvrpc router run --dir " + folder), e.getMessage());
    }

    @Test
    void aQuestionUnderWayEndsWithTheRouter() throws IOException {
        start();
        CompletableFuture<String> waiting = CompletableFuture.supplyAsync(() -> {
            try {
                return ask("wait");
            } catch (IOException e) {
                return "ended";
            }
        });
        Waits.until("the question", () -> asked.get() == 1);
        server.close();
        assertEquals("ended", waiting.join());
    }
}
