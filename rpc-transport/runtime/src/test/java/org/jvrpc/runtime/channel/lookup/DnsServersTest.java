package org.jvrpc.runtime.channel.lookup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.resolve.NameResolver;
import org.jvrpc.runtime.resolve.ResolverContext;
import org.jvrpc.runtime.resolve.ServerEntry;

/** Names whose addresses change, that vanish, and lookups that hang. */
class DnsServersTest {

    private static final long MIDDLE = 1L << 63; // a lot that changes nothing

    private final Queue<Object> told = new ConcurrentLinkedQueue<>();
    private final AtomicInteger lookups = new AtomicInteger();
    private volatile List<String> addresses = List.of("10.0.0.1", "10.0.0.2");

    private final NameResolver.Listener listener = new NameResolver.Listener() {
        @Override
        public void onServers(List<ServerEntry> servers) {
            told.add(servers.stream().map(ServerEntry::id).toList());
        }

        @Override
        public void onError(RpcException failure) {
            assertEquals(Status.UNAVAILABLE, failure.status());
            told.add(failure.getMessage());
        }
    };

    private InetAddress[] lookup(String host) throws UnknownHostException {
        lookups.incrementAndGet();
        if (addresses.isEmpty()) {
            throw new UnknownHostException(host + ": gone");
        }
        InetAddress[] found = new InetAddress[addresses.size()];
        for (int i = 0; i < found.length; i++) {
            found[i] = InetAddress.getByName(addresses.get(i));
        }
        return found;
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "test-lookup");
        thread.setDaemon(true);
        return thread;
    }

    private static DnsServers servers(
            String target, DnsServers.Lookup lookup, Duration timeout, ThreadFactory threads) {
        return new DnsServers(DnsName.parse(target), lookup,
                new ResolverContext(timeout, threads, System::nanoTime, () -> MIDDLE));
    }

    /** One whose thread does nothing: the test looks up itself. */
    private DnsServers byHand(DnsServers.Lookup lookup, Duration timeout) {
        AtomicInteger made = new AtomicInteger();
        DnsServers servers = servers("dns://db.example:7000", lookup, timeout,
                task -> daemon(made.getAndIncrement() == 0 ? () -> { } : task));
        servers.start(listener);
        return servers;
    }

    private static List<String> places(String... hosts) {
        return java.util.Arrays.stream(hosts).map(host -> host + ":7000").toList();
    }

    @Test
    void eachAddressIsAServerAndChangesAreTold() throws Exception {
        DnsServers servers = byHand(this::lookup, Duration.ofSeconds(60));
        assertEquals(DnsServers.PERIOD.toNanos(), servers.lookUp());
        addresses = List.of("10.0.0.2", "::1");
        servers.lookUp();
        assertEquals(List.of(places("10.0.0.1", "10.0.0.2"), places("10.0.0.2", "[0:0:0:0:0:0:0:1]")),
                List.copyOf(told));
    }

    @Test
    void lookupsThatFailAreRepeatedLessAndLessOften() throws Exception {
        DnsServers servers = byHand(this::lookup, Duration.ofSeconds(60));
        servers.lookUp();
        addresses = List.of();
        assertEquals(1_000_000_000L, servers.lookUp());
        assertEquals(1_600_000_000L, servers.lookUp());
        assertEquals(2_560_000_000L, servers.lookUp());
        assertEquals(4, told.size());
        String why = (String) List.copyOf(told).get(3);
        assertTrue(why.contains("db.example") && why.contains("gone"), why);
        addresses = List.of("10.0.0.3");
        assertEquals(DnsServers.PERIOD.toNanos(), servers.lookUp());
        addresses = List.of();
        assertEquals(1_000_000_000L, servers.lookUp());
    }

    @Test
    void anEmptyAnswerIsAFailureAndTheServersStay() throws Exception {
        List<InetAddress[]> answers = new ArrayList<>();
        answers.add(new InetAddress[0]);
        answers.add(null);
        DnsServers servers = byHand(host -> answers.remove(0), Duration.ofSeconds(60));
        assertEquals(1_000_000_000L, servers.lookUp());
        assertEquals(1_600_000_000L, servers.lookUp());
        assertEquals(2, told.size());
        assertTrue(told.stream().allMatch(one -> one.toString().contains("it has no address")), told.toString());
    }

    @Test
    void ofMoreAddressesThanMayBeTheFirstAreUsed() throws Exception {
        InetAddress[] many = new InetAddress[ServerEntry.MAX_SERVERS + 50];
        for (int i = 0; i < many.length; i++) {
            many[i] = InetAddress.getByAddress(new byte[] {10, 0, (byte) (i >> 8), (byte) i});
        }
        byHand(host -> many, Duration.ofSeconds(60)).lookUp();
        List<?> ids = (List<?>) told.peek();
        assertEquals(ServerEntry.MAX_SERVERS, ids.size());
        assertEquals("10.0.3.255:7000", ids.get(ServerEntry.MAX_SERVERS - 1));
    }

    @Test
    void aNameThatFlapsIsToldEachTime() throws Exception {
        DnsServers servers = byHand(this::lookup, Duration.ofSeconds(60));
        for (int round = 0; round < 3; round++) {
            addresses = List.of("10.0.0.1");
            assertEquals(DnsServers.PERIOD.toNanos(), servers.lookUp());
            addresses = List.of();
            assertEquals(1_000_000_000L, servers.lookUp()); // the first pause each time
        }
        assertEquals(6, told.size());
    }

    @Test
    void aLookupThatHangsIsToldOnceItsTimeIsOverAndCountsWhenItEnds() throws Exception {
        CountDownLatch hangs = new CountDownLatch(1);
        DnsServers servers = byHand(host -> {
            InetAddress[] found = lookup(host);
            Await.latch("the test", hangs);
            return found;
        }, Duration.ofMillis(5));
        servers.lookUp();
        servers.lookUp();
        assertEquals(1, lookups.get()); // one thread hangs, not more and more
        assertEquals(2, told.size());
        assertTrue(told.peek().toString().contains("no answer in 5 ms"), told.toString());
        hangs.countDown();
        Await.until("its answer", () -> {
            try {
                servers.lookUp();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            return told.contains(places("10.0.0.1", "10.0.0.2"));
        });
    }

    @Test
    void aThreadOfItsOwnLooksUpAgainWhenAskedAndEndsWhenClosed() {
        DnsServers servers = servers("dns://db.example:7000", this::lookup, Duration.ofSeconds(60),
                DnsServersTest::daemon);
        servers.start(listener);
        Await.until("the first answer", () -> told.size() == 1);
        servers.refresh();
        Await.until("another answer, a second later", () -> told.size() == 2);
        servers.close();
        servers.close();
    }

    @Test
    void aTlsTargetHasItsOptionsAndTheNameToProveBehindEachAddress() throws Exception {
        ServerEntry server = DnsName.parse("dns+tls://db.example:443?trust=/ca.pem")
                .server(InetAddress.getByName("10.0.0.1"));
        assertEquals(List.of("tls://10.0.0.1:443?trust=/ca.pem&name=db.example"), server.addresses());
        assertEquals(List.of("tls://10.0.0.1:443?name=db.example"),
                DnsName.parse("dns+tls://db.example:443").server(InetAddress.getByName("10.0.0.1")).addresses());
    }

    @Test
    void whatIsNoNameIsRefused() {
        for (String text : List.of("dns://db.example", "dns://:7000", "dns://db.example:0", "dns://db.example:65536",
                "dns://db.example:7000?trust=x", "dns://db example:1", "dns://db.example:7000/x", "dns://",
                "dns://a:-1", "dns+tls://db.example:1?name=other", "dns+tls://db.example:1?a=b&name=other")) {
            String why = assertThrows(IllegalArgumentException.class, () -> DnsName.parse(text), text).getMessage();
            assertTrue(why.contains(text), why);
        }
    }
}
