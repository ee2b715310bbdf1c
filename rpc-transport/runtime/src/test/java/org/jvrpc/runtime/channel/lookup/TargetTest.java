package org.jvrpc.runtime.channel.lookup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.jvrpc.api.RpcException;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.balance.LeastSecurity;
import org.jvrpc.runtime.resolve.NameResolver;
import org.jvrpc.runtime.resolve.ServerEntry;

class TargetTest {

    private static List<ServerEntry> list(String text) {
        List<ServerEntry> told = new ArrayList<>();
        FixedServers.parse(text).start(new NameResolver.Listener() {
            @Override
            public void onServers(List<ServerEntry> servers) {
                told.addAll(servers);
            }

            @Override
            public void onError(RpcException failure) {
                throw failure;
            }
        });
        return told;
    }

    @Test
    void addressesOfOneServerAreNoTargets() {
        for (String address : List.of("shm://a", "tcp://host:1", "tls://host:1?trust=x", "unix:///a", "rdma://host:1",
                "roce://host:1", "inproc://a", "nobody://knows", "nonsense", "")) {
            assertNull(Target.parse(address), address);
        }
    }

    @Test
    void aListHasServersAndTheirAddresses() {
        List<ServerEntry> servers = list("list:shm://a|tls://one:1?trust=x, tcp://two:2");
        assertEquals(List.of("shm://a", "tls://one:1?trust=x"), servers.get(0).addresses());
        assertEquals(List.of("tcp://two:2"), servers.get(1).addresses());
        assertEquals(List.of("shm://a", "tcp://two:2"), servers.stream().map(ServerEntry::id).toList());
    }

    @Test
    void whatIsNoListIsRefused() {
        for (String text : List.of("list:", "list:a", "list:tcp://a:1,", "list:tcp://a:1,tcp://a:1", "list:|tcp://a:1",
                "list:tcp://a:1|tcp://a:1", "list:tcp://\u00e4:1", "list:tcp://a\n:1")) {
            String why = assertThrows(IllegalArgumentException.class, () -> Target.parse(text), text).getMessage();
            assertTrue(why.contains("list:ADDRESS"), why);
        }
        assertThrows(IllegalArgumentException.class, () -> Target.parse("list:tcp://" + "a".repeat(9000)));
    }

    @Test
    void threadsHaveNamesWithoutOptions() {
        assertEquals("db.example:1", Target.parse("dns+tls://db.example:1?trust=/secret").name());
        assertEquals("shm://a,shm://b", Target.parse("list:shm://a,shm://b").name());
        assertEquals(64, Target.parse("list:tcp://" + "a".repeat(200) + ":1").name().length());
    }

    @Test
    void anAddressOfTheUsersOwnBelowTheLeastSecurityIsRefused() {
        String why = assertThrows(IllegalArgumentException.class, () -> RpcClient.builder("tcp://127.0.0.1:1")
                .leastSecurity(LeastSecurity.LOCAL_OR_ENCRYPTED).connect()).getMessage();
        assertTrue(why.contains("tcp://127.0.0.1:1") && why.contains("LOCAL_OR_ENCRYPTED"), why);
    }

    @Test
    void entriesAreChecked() {
        assertThrows(IllegalArgumentException.class, () -> ServerEntry.of("a"));
        assertThrows(IllegalArgumentException.class, () -> ServerEntry.of("", "tcp://a:1"));
        assertThrows(IllegalArgumentException.class, () -> ServerEntry.of("a", "tcp:a:1"));
        assertThrows(IllegalArgumentException.class, () -> ServerEntry.of("a", "tcp://a:1\n"));
        assertThrows(IllegalArgumentException.class,
                () -> new ServerEntry("a", List.of("tcp://a:1"), 0, java.util.Map.of()));
        assertThrows(IllegalArgumentException.class,
                () -> new ServerEntry("a", List.of("tcp://a:1"), 1, java.util.Map.of("k", "v".repeat(513))));
    }
}
