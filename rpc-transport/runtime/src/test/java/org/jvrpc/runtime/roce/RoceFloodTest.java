package org.jvrpc.runtime.roce;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.jvrpc.roce.cm.message.ConnectReply;
import org.jvrpc.runtime.Cores;
import org.jvrpc.runtime.RoceUnderTest;
import org.jvrpc.runtime.RpcClient;
import org.jvrpc.runtime.RpcServer;
import org.jvrpc.runtime.SessionLimits;
import org.jvrpc.runtime.contract.Await;
import org.jvrpc.runtime.contract.Calls;
import org.jvrpc.runtime.contract.CallsImpl;
import org.jvrpc.runtime.session.Hello;
import org.jvrpc.runtime.session.Protocol;

/** Requests whose senders are perhaps not there: anybody can send them in anybody's name. */
class RoceFloodTest implements RoceUnderTest {

    /** As many as a source may have half-open. */
    private static final int REQUESTS = 64;
    private static final int SLOTS = 64;
    private static final int SLOT_BYTES = 1 << 15;
    /** What one session has for its slots alone: 64 of them have 128 MiB. */
    private static final long SESSION_BYTES = (long) SLOTS * SLOT_BYTES;
    /** Queues of all, which the answers name: some 50 KiB each, in slabs. */
    private static final long QUEUES_BYTES = 16L << 20;
    private static final long SESSION_MEMORY = 64L << 20;
    private static final byte[] HELLO = Hello.request(Protocol.CALLS, SLOTS, SLOT_BYTES, 1 << 20).encode();

    private static RpcServer server(String address) {
        return server(address, new SessionLimits().sessionMemory(4L << 30));
    }

    private static RpcServer server(String address, SessionLimits limits) {
        return RpcServer.builder().bind(address).service(Calls.class, new CallsImpl()).limits(limits).start();
    }

    private static String budget(RpcServer server) {
        return Cores.of(server).budget().toString();
    }

    /** Queues of those who may not be there have a part of what sessions may have, however many calls they ask for. */
    @Test
    void queuesOfThoseWhoHaveNotConfirmedHaveABound() {
        SessionLimits limits = new SessionLimits().sessionMemory(SESSION_MEMORY);
        byte[] many = Hello.request(Protocol.CALLS, 4096, 256, 1 << 20).encode();
        try (RpcServer server = server(newAddress(), limits);
                RawPeer peer = new RawPeer(server.address(), "127.0.0.2")) {
            long before = RoceDeathTest.bytes();
            flood(peer, 1, many);
            long committed = RoceDeathTest.bytes() - before;
            assertTrue(committed <= SESSION_MEMORY / 2, "bytes=" + committed);
            try (RpcClient client = RpcClient.connect(server.address())) {
                assertEquals(3, client.stub(Calls.class).add(1, 2), "others are served");
            }
        }
    }

    private static List<ConnectReply> flood(RawPeer peer) {
        return flood(peer, 1);
    }

    /** Sends requests, and returns what was answered to all of them. */
    private static List<ConnectReply> flood(RawPeer peer, int firstId) {
        return flood(peer, firstId, HELLO);
    }

    private static List<ConnectReply> flood(RawPeer peer, int firstId, byte[] hello) {
        List<ConnectReply> replies = new ArrayList<>();
        for (int i = 0; i < REQUESTS; i++) {
            peer.request(firstId + i, hello);
            ConnectReply[] reply = {null};
            Await.until("reply " + i, () -> (reply[0] = peer.reply()) != null);
            replies.add(reply[0]);
        }
        return replies;
    }

    @Test
    void noSessionMemoryIsCommittedBeforeTheConfirmation() {
        try (RpcServer server = server(newAddress()); RawPeer peer = new RawPeer(server.address(), "127.0.0.2")) {
            long before = RoceDeathTest.bytes();
            List<ConnectReply> replies = flood(peer);
            long committed = RoceDeathTest.bytes() - before;
            System.out.println("bytes for requests without a confirmation: " + committed / REQUESTS + " each");
            assertTrue(committed <= QUEUES_BYTES, "bytes=" + committed);
            assertEquals("sessions=0 peers=0 session bytes=0 body bytes=0 expected=" + REQUESTS, budget(server));
            try (RpcClient client = RpcClient.connect(server.address())) {
                assertEquals(3, client.stub(Calls.class).add(1, 2), "others are served");
            }
            replies.forEach(peer::refuse);
            Await.until("all to be given back", () -> Cores.of(server).budget().isEmpty());
        }
    }

    /** Whoever floods goes on; those who made room have left nothing. */
    @Test
    void queuesOfThoseWhoMadeRoomAreUsedAgain() {
        try (RpcServer server = server(newAddress()); RawPeer peer = new RawPeer(server.address(), "127.0.0.2")) {
            long before = RoceDeathTest.bytes();
            for (int round = 0; round < 16; round++) {
                flood(peer, 1 + round * REQUESTS);
            }
            long committed = RoceDeathTest.bytes() - before;
            assertTrue(committed <= QUEUES_BYTES, "bytes=" + committed);
            Await.until("as many as may be half-open", () -> budget(server).endsWith(" expected=" + REQUESTS));
        }
    }

    /** More than a server takes are expected, from an address that honest clients have, too. */
    @Test
    void othersAreServedWhateverIsAskedForInTheirName() {
        SessionLimits limits = new SessionLimits().maxSessions(1).maxSessionsPerPeer(1).sessionMemory(64L << 20);
        try (RpcServer server = server(newAddress(), limits);
                RawPeer peer = new RawPeer(server.address(), "127.0.0.1")) {
            flood(peer);
            try (RpcClient client = RpcClient.connect(server.address())) {
                assertEquals(3, client.stub(Calls.class).add(1, 2));
            }
        }
    }

    @Test
    void sessionMemoryIsCommittedByTheConfirmation() {
        try (RpcServer server = server(newAddress()); RawPeer peer = new RawPeer(server.address(), "127.0.0.2")) {
            long before = RoceDeathTest.bytes();
            List<ConnectReply> replies = flood(peer);
            for (int i = 0; i < 8; i++) {
                peer.confirm(replies.get(i));
            }
            Await.until("the memory of eight", () -> RoceDeathTest.bytes() - before >= 8 * SESSION_BYTES);
            replies.forEach(peer::refuse);
            Await.until("all to be given back", () -> Cores.of(server).budget().isEmpty());
        }
    }

    @Test
    void theEndOfAServerEndsThoseWhoHaveNotConfirmed() {
        String address = newAddress();
        try (RpcServer server = server(address); RawPeer peer = new RawPeer(address, "127.0.0.2")) {
            flood(peer);
            server.shutdownNow();
            Await.until("all to be given back", () -> Cores.of(server).budget().isEmpty());
        }
    }
}
