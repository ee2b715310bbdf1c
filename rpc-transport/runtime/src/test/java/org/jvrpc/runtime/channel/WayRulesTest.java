package org.jvrpc.runtime.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.jvrpc.runtime.balance.LeastSecurity;
import org.jvrpc.runtime.resolve.ServerEntry;

/** Which addresses of a server are used, and in which order. */
class WayRulesTest {

    private static final List<String> ALL = List.of("tcp://one:1", "tls://one:2", "roce://one:3", "rdma://one:4",
            "unix:///run/one", "shm://one");

    private final List<String> refused = new ArrayList<>();
    private String tlsOptions = "?trust=ca.pem";

    private List<String> ways(boolean own, LeastSecurity least, Map<String, String> attributes, List<String> all) {
        WayRules rules = new WayRules(own, least, "this-host", Map.of("tls", tlsOptions));
        return rules.waysOf(new ServerEntry("one", all, 1, attributes), refused).stream().map(Way::address).toList();
    }

    private List<String> found(LeastSecurity least, String host) {
        return ways(false, least, host == null ? Map.of() : Map.of(ServerEntry.HOST, host), ALL);
    }

    @Test
    void theNearestIsFirst() {
        assertEquals(List.of("shm://one", "unix:///run/one", "rdma://one:4", "roce://one:3",
                "tls://one:2?trust=ca.pem", "tcp://one:1"), found(LeastSecurity.NONE, "this-host"));
    }

    @Test
    void whatIsOfAnotherHostIsNotUsed() {
        List<String> far = List.of("rdma://one:4", "roce://one:3", "tls://one:2?trust=ca.pem", "tcp://one:1");
        assertEquals(far, found(LeastSecurity.NONE, "other-host"));
        assertTrue(refused.toString().contains("shm://one is of another host"), refused.toString());
        assertEquals(far, found(LeastSecurity.NONE, null));
        assertEquals(far, found(LeastSecurity.NONE, ""));
    }

    @Test
    void aRouterIsNearerThanACardAndReachesOtherHosts() {
        assertEquals(List.of("router://10.77.0.1:1", "rdma://one:4"), ways(false, LeastSecurity.NONE,
                Map.of(ServerEntry.HOST, "other-host"), List.of("rdma://one:4", "router://10.77.0.1:1")));
    }

    @Test
    void aHostThatDoesNotKnowItselfIsTheSameAsNoOther() {
        WayRules rules = new WayRules(false, LeastSecurity.NONE, "", Map.of());
        ServerEntry entry = new ServerEntry("one", List.of("shm://one"), 1, Map.of(ServerEntry.HOST, ""));
        assertEquals(List.of(), rules.waysOf(entry, refused));
    }

    @Test
    void nothingBelowTheLeastSecurityIsUsed() {
        tlsOptions = "?trust=ca.pem&name=orders.example";
        List<String> encrypted = List.of("tls://one:2" + tlsOptions);
        assertEquals(List.of("shm://one", "unix:///run/one", encrypted.get(0)),
                found(LeastSecurity.LOCAL_OR_ENCRYPTED, "this-host"));
        assertEquals(encrypted, found(LeastSecurity.LOCAL_OR_ENCRYPTED, "other-host"));
        assertEquals(encrypted, found(LeastSecurity.ENCRYPTED, "this-host"));
        assertEquals(List.of(), ways(true, LeastSecurity.LOCAL_OR_ENCRYPTED, Map.of(), List.of("tcp://127.0.0.1:1")));
        assertEquals(List.of(), ways(true, LeastSecurity.ENCRYPTED, Map.of(), List.of("plain://127.0.0.1:1")));
    }

    @Test
    void theNameThatAResolverSaysIsNoProofWhereSecurityIsAskedFor() {
        assertEquals(List.of(), found(LeastSecurity.ENCRYPTED, "this-host"));
        assertTrue(refused.toString().contains("tls://one:2 would prove that it is the host which the resolver says"),
                refused.toString());
        tlsOptions = "?name=orders.example";
        assertEquals(List.of("tls://one:2?name=orders.example"), found(LeastSecurity.ENCRYPTED, "this-host"));
    }

    @Test
    void aResolverGivesNoOptions() {
        assertEquals(List.of(), ways(false, LeastSecurity.NONE, Map.of(),
                List.of("tls://one:2?trust=/tmp/evil.pem", "tcp://one:1?x=y", "tls://one:2#trust", "inproc://one")));
        assertEquals(4, refused.size());
        assertTrue(refused.get(0).contains("options"), refused.toString());
    }

    @Test
    void theClientsOwnTargetMayHaveOptionsAndItsSharedMemoryIsThisHosts() {
        assertEquals(List.of("shm://one", "tls://one:2?trust=own.pem"), ways(true, LeastSecurity.NONE, Map.of(),
                List.of("tls://one:2?trust=own.pem", "shm://one")));
    }

    @Test
    void aHostIsAnotherOneAfterItsNextBoot() {
        assertNotEquals(HostIdentity.of("machine", "boot-1"), HostIdentity.of("machine", "boot-2"));
        assertNotEquals(HostIdentity.of("machine-1", "boot"), HostIdentity.of("machine-2", "boot"));
        assertEquals(32, HostIdentity.of("machine", "boot").length());
        assertEquals("", HostIdentity.of("machine", ""));
        assertEquals(HostIdentity.own(), HostIdentity.own());
    }
}
