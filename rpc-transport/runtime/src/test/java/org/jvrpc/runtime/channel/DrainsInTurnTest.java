package org.jvrpc.runtime.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.CallOptions;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.ServiceDescriptor;
import org.jvrpc.runtime.balance.LoadBalancing;
import org.jvrpc.runtime.channel.lookup.Target;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.contract.several.Site;
import org.jvrpc.runtime.retry.Retries;
import org.jvrpc.runtime.retry.RetrySettings;
import org.jvrpc.runtime.retry.ScriptedChannel;
import org.jvrpc.runtime.session.Settings;
import org.jvrpc.runtime.thread.Environment;

/** A call that each server in turn refuses, as it is about to go. */
class DrainsInTurnTest {

    private static final long LIMIT_NS = 20_000_000_000L;
    private static final RpcException REFUSAL = RpcException.notRun(Status.UNAVAILABLE, "server is about to go");

    private final Map<String, Server> servers = new LinkedHashMap<>();
    private final List<String> asked = new ArrayList<>();
    /** Whether who connects anew is kept waiting until a server is back. */
    private volatile boolean patient;
    private BalancedCore core;
    private Retries retries;

    /** A server, which has a connection at a time. */
    private final class Server {
        final String name;
        volatile boolean up = true;
        volatile boolean goes = true;
        /** Whether a client notices a refusal for what it is: that the connection takes no new calls. */
        volatile boolean leaves = true;
        volatile FakeLink link;

        Server(String name) {
            this.name = name;
        }

        FakeLink connect(String address) {
            if (patient) {
                Await.until("a server to be back", () -> servers.values().stream().anyMatch(server -> !server.goes));
            }
            if (!up) {
                throw new RpcException(Status.UNAVAILABLE, "nobody is at " + address);
            }
            FakeLink fresh = new FakeLink(address);
            ScriptedChannel[] channel = new ScriptedChannel[1];
            channel[0] = new ScriptedChannel(LIMIT_NS, attempt -> answer(fresh, channel[0]));
            fresh.channel = channel[0];
            link = fresh;
            return fresh;
        }

        private long answer(FakeLink at, ScriptedChannel by) {
            asked.add(name);
            if (!goes) {
                return 7;
            }
            if (leaves) {
                up = false;
                at.connected = false;
                by.refusal = RpcException.notRun(Status.UNAVAILABLE, "the connection is lost");
            }
            throw REFUSAL;
        }
    }

    private Site connect(int count, Function<Server, Boolean> goes) {
        return connect(LoadBalancing.roundRobin(), count, goes);
    }

    private Site connect(LoadBalancing policy, int count, Function<Server, Boolean> goes) {
        IntStream.range(0, count).forEach(i -> servers.put("s" + i, new Server("s" + i)));
        servers.values().forEach(server -> server.goes = goes.apply(server));
        ChannelOptions options = new ChannelOptions();
        options.balancing(policy);
        String target = "list:" + String.join(",", servers.keySet().stream().map(name -> "tcp://" + name + ":1")
                .toList());
        core = new BalancedCore(Target.parse(target), new Settings(), options, (address, whenLost) ->
                servers.get(address.replaceAll("^tcp://|:1$", "")).connect(address));
        core.begin();
        Await.until("all to be ready", () -> core.snapshot().ready().length == count);
        retries = new Retries(new RetrySettings(), Environment.SYSTEM, "test", List.of());
        ServiceDescriptor<Site> service = ServiceDescriptor.of(Site.class);
        return service.stub(retries.around(core.channel(service, CallOptions.DEFAULT), service,
                CallOptions.DEFAULT));
    }

    @AfterEach
    void close() {
        core.close();
        retries.close();
    }

    @Test
    void aCallGoesOnToTheNextServerUntilOneStays() {
        Site site = connect(5, server -> !server.name.equals("s3"));
        for (int call = 0; call < 5; call++) {
            assertEquals(7, site.twice(1));
        }
        assertEquals(5, Collections.frequency(asked, "s3"), asked.toString());
        for (String gone : List.of("s0", "s1", "s2", "s4")) {
            assertTrue(Collections.frequency(asked, gone) <= 1, asked.toString());
        }
    }

    @Test
    void aServerThatRefusedIsNotAskedAgainWhileThereIsAnotherEvenWhereItsConnectionStays() {
        Site site = connect(LoadBalancing.leastRequest(), 5, server -> !server.name.equals("s3"));
        servers.values().forEach(server -> server.leaves = false);
        for (int call = 0; call < 20; call++) {
            asked.clear();
            assertEquals(7, site.twice(1));
            assertEquals(asked.size(), asked.stream().distinct().count(), asked.toString());
        }
    }

    @Test
    void attemptsEndWhereEveryServerRefusesForEver() {
        Site site = connect(3, server -> true);
        servers.values().forEach(server -> server.leaves = false);
        RpcException e = assertThrows(RpcException.class, () -> site.twice(1));
        assertEquals(REFUSAL.getMessage(), e.getMessage());
        assertEquals(5, asked.size(), "the first, one for each server and one more: " + asked);
    }

    @Test
    void callsOfAFleetThatRefusesDoNotBecomeAsManyAsThereAreServers() {
        Site site = connect(40, server -> true);
        servers.values().forEach(server -> server.leaves = false);
        assertThrows(RpcException.class, () -> site.twice(1));
        assertEquals(9, asked.size());
    }

    @Test
    void aCallThatAllServersRefusedWaitsForOneThatIsBack() {
        Site site = connect(2, server -> true);
        patient = true;
        Thread back = new Thread(() -> {
            Await.until("both to go", () -> servers.values().stream().noneMatch(server -> server.up));
            Server first = servers.get("s0");
            first.up = true;
            first.goes = false;
        }, "test-back");
        back.setDaemon(true);
        back.start();
        assertEquals(7, site.twice(1));
        assertEquals("s0", asked.get(asked.size() - 1));
    }
}
