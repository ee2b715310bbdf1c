package org.jvrpc.watch.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CrowdTest {

    private static final int LIMIT_S = 50;

    @Test
    void whoComesPastTheQueueIsToldSoAtOnceAndTheOthersAreAnswered() throws Exception {
        int past = 20;
        int all = Crowd.THREADS + Crowd.WAITING + past;
        CountDownLatch release = new CountDownLatch(1);
        ExecutorService clients = Executors.newFixedThreadPool(all);
        CountDownLatch refused = new CountDownLatch(past);
        try (WatchServer server = WatchServer.bind(null, 0, List.of())) {
            server.get("/slow", query -> {
                try {
                    assertTrue(release.await(LIMIT_S, TimeUnit.SECONDS));
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                return Body.json("1");
            }).start();
            List<Future<Wire.Answer>> answers = new ArrayList<>();
            for (int i = 0; i < all; i++) {
                answers.add(clients.submit(() -> {
                    Wire.Answer answer = Wire.get(server, "/slow", "");
                    if (answer.status() == 503) {
                        refused.countDown();
                    }
                    return answer;
                }));
            }
            assertTrue(refused.await(LIMIT_S, TimeUnit.SECONDS), () -> "not refused=" + refused.getCount());
            release.countDown();
            int good = 0;
            for (Future<Wire.Answer> answer : answers) {
                good += answer.get(LIMIT_S, TimeUnit.SECONDS).status() == 200 ? 1 : 0;
            }
            assertEquals(Crowd.THREADS + Crowd.WAITING, good);
        } finally {
            release.countDown();
            clients.shutdownNow();
        }
    }

    @Test
    void aPageOpenedByFiftyMakesItsMatrixOnce() throws Exception {
        CannedData data = new CannedData(300, "");
        ExecutorService clients = Executors.newFixedThreadPool(50);
        AtomicInteger good = new AtomicInteger();
        try (WatchServer server = WatchServer.bind(null, 0, List.of())) {
            LivePage.serve(server, data);
            server.start();
            List<CompletableFuture<Void>> all = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                all.add(CompletableFuture.runAsync(() -> open(server, good), clients));
            }
            CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).get(LIMIT_S, TimeUnit.SECONDS);
        } finally {
            clients.shutdownNow();
        }
        assertEquals(50 * 7, good.get());
        assertEquals(1, data.matricesMade);
    }

    private static void open(WatchServer server, AtomicInteger good) {
        for (String path : List.of("/", "/api/summary", "/api/matrix?what=p99", "/api/hosts", "/api/verdicts",
                "/api/agents", "/api/series")) {
            try {
                Wire.Answer answer = Wire.get(server, path, "Accept-Encoding: gzip\r\n");
                while (answer.status() == 503) { // as the page does
                    answer = Wire.get(server, path, "Accept-Encoding: gzip\r\n");
                }
                good.addAndGet(answer.status() == 200 ? 1 : 0);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
