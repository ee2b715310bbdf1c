package org.jvrpc.watch.agent.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.testing.SharedMemoryFolder;
import org.jvrpc.testing.Waits;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.watch.AgentInfo;
import org.jvrpc.watch.Clock;
import org.jvrpc.watch.FlowKind;
import org.jvrpc.watch.ProbeTransport;
import org.jvrpc.watch.agent.AgentLoop;
import org.jvrpc.watch.agent.AgentSettings;
import org.jvrpc.watch.agent.PingAgent;
import org.jvrpc.watch.probe.ProbeKeys;
import org.jvrpc.watch.registry.FixedRegistry;
import org.jvrpc.watch.report.Report;
import org.jvrpc.watch.report.Tally;

/** Probes over devices in software. */
class RoceAgentsTest {

    private static final String ROCE = "roce://127.0.0.1:0";
    private static final String SHM = "shm://agents";

    private final List<VerbsProbes> open = new ArrayList<>();

    /** Notes what it is told. */
    private static final class Told implements ProbeTransport.Events {
        private final List<String> received = new ArrayList<>();
        private final List<String> sent = new ArrayList<>();

        @Override
        public void sent(long cookie, WcStatus status, long atNs) {
            sent.add(cookie + " " + status);
        }

        @Override
        public void received(ByteBuffer payload, long atNs) {
            byte[] bytes = new byte[payload.remaining()];
            payload.get(bytes);
            received.add(new String(bytes));
        }
    }

    private VerbsProbes probes(String address, int flows) {
        SharedMemoryFolder.path(); // fails where it would be the user's own folder
        VerbsProbes made = VerbsProbes.open(address, flows);
        open.add(made);
        return made;
    }

    @AfterEach
    void closeAll() {
        open.forEach(VerbsProbes::close);
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes());
    }

    @ParameterizedTest
    @ValueSource(strings = {ROCE, SHM})
    void datagramsOfAllFlowsArriveAndEachSendIsTold(String address) {
        VerbsProbes a = probes(address, 3);
        VerbsProbes b = probes(address, 1);
        assertEquals(address.equals(ROCE) ? 3 : 1, a.flows());
        assertEquals(address.equals(ROCE) ? FlowKind.DEVICE : FlowKind.NONE, a.flowKind());
        Told toA = new Told();
        Told toB = new Told();
        int handle = a.peer(b.address());
        assertEquals(handle, a.peer(b.address()));
        for (int i = 0; i < 500; i++) {
            int number = i;
            assertTrue(a.send(handle, i % a.flows(), 0, bytes("datagram " + i), i));
            Waits.until("datagram " + i, () -> b.poll(toB) + a.poll(toA) >= 0 && toB.received.size() == number + 1
                    && toA.sent.size() == number + 1);
            assertEquals("datagram " + i, toB.received.get(i));
            assertEquals(i + " SUCCESS", toA.sent.get(i));
        }
    }

    private static boolean lasts(VerbsProbes probes, long ns) {
        long startNs = System.nanoTime();
        probes.await(ns);
        return System.nanoTime() - startNs >= ns;
    }

    @Test
    void whoWaitsSleepsUntilADatagramComes() {
        VerbsProbes a = probes(ROCE, 1);
        VerbsProbes b = probes(ROCE, 1);
        Told told = new Told();
        b.poll(told);
        long whole = IntStream.range(0, 5).filter(i -> lasts(b, 5_000_000)).count();
        assertTrue(whole >= 3, "it slept for " + whole + " of 5 waits");
        a.send(a.peer(b.address()), 0, 0, bytes("wake"), 1);
        long startNs = System.nanoTime();
        while (told.received.isEmpty()) {
            b.await(Waits.limitNs());
            b.poll(told);
            assertTrue(System.nanoTime() - startNs < Waits.limitNs(), "it slept on");
        }
        assertEquals(List.of("wake"), told.received);
    }

    /** A device has fewer than 65,536 handles. */
    @Test
    void whatLedToAPeerThatWentIsClosedAndTheOthersAreReached() {
        VerbsProbes a = probes(SHM, 1);
        VerbsProbes b = probes(SHM, 1);
        int stays = a.peer(b.address());
        WayBytes way = WayBytes.decode(b.address());
        Told told = new Told();
        for (int i = 0; i < 1 << 16; i++) {
            int goes = a.peer(new WayBytes(way.qpn(), 64 + i % 7, way.endpoint()).encode());
            assertTrue(goes != stays, "another peer");
            assertTrue(a.send(goes, 0, 0, bytes("x"), 1));
            a.forget(goes);
            Waits.until("its end", () -> a.poll(told) >= 0 && a.ways() == 1);
            b.poll(told);
        }
        assertTrue(told.sent.stream().allMatch(sent -> sent.equals("1 SUCCESS")), "all were sent");
    }

    @Test
    void twoWhoHaveTheSamePeerKeepItUntilBothForgetIt() {
        VerbsProbes a = probes(ROCE, 1);
        VerbsProbes b = probes(ROCE, 1);
        int handle = a.peer(b.address());
        assertEquals(handle, a.peer(b.address()));
        Told told = new Told();
        a.forget(handle);
        assertTrue(a.send(handle, 0, 0, bytes("still"), 1));
        Waits.until("it", () -> b.poll(told) + a.poll(told) >= 0 && told.received.size() == 1);
        a.forget(handle);
        Waits.until("its end", () -> a.poll(told) >= 0 && a.ways() == 0);
    }

    @Test
    void whatIsTooLongForThePeerFailsAloneAndTheNextArrives() {
        VerbsProbes a = probes(ROCE, 1);
        VerbsProbes b = probes(ROCE, 1);
        WayBytes way = WayBytes.decode(b.address());
        int narrow = a.peer(new WayBytes(way.qpn(), 64, way.endpoint()).encode());
        Told toA = new Told();
        Told toB = new Told();
        assertTrue(a.send(narrow, 0, 0, ByteBuffer.allocate(65), 1));
        assertTrue(a.send(narrow, 0, 0, bytes("short"), 2));
        Waits.until("both", () -> a.poll(toA) + b.poll(toB) >= 0 && toA.sent.size() == 2 && toB.received.size() == 1);
        assertEquals(List.of("1 LOC_LEN_ERR", "2 SUCCESS"), toA.sent);
    }

    @Test
    void anAddressThatNoDeviceCanReachFailsEachSend() {
        VerbsProbes a = probes(ROCE, 1);
        int nowhere = a.peer(new WayBytes(5, 4096, new byte[30]).encode());
        Told told = new Told();
        assertTrue(a.send(nowhere, 0, 0, bytes("x"), 9));
        a.poll(told);
        assertEquals(List.of("9 GENERAL_ERR"), told.sent);
    }

    @Test
    void bytesThatAreNoAddressAreRefused() {
        VerbsProbes a = probes(ROCE, 1);
        byte[] good = a.address();
        byte[] wrongQpn = good.clone();
        wrongQpn[4] = 1;
        for (byte[] bad : List.of(new byte[0], new byte[12], new byte[300], wrongQpn)) {
            assertThrows(IllegalArgumentException.class, () -> a.peer(bad));
        }
    }

    @Test
    void aDeviceThatChoosesNoPathByFlowLabelSaysSo() {
        VerbsProbes a = probes(ROCE, 1);
        byte[] endpoint = WayBytes.decode(a.address()).endpoint();
        ProtectionDomain pd = a.device().allocatePd();
        pd.createAh(endpoint, 0).close();
        VerbsException e = assertThrows(VerbsException.class, () -> pd.createAh(endpoint, 7));
        assertTrue(e.getMessage().contains("flowLabel=7"), e::getMessage);
        assertThrows(IllegalArgumentException.class, () -> pd.createAh(endpoint, 1 << 20));
    }

    /** Which class packets have is seen by the port that they come from: a class has a socket of its own. */
    @Test
    void eachServiceLevelHasAClassOfItsOwnAndTheHighestIsSeven() throws IOException {
        try (DatagramChannel peer = DatagramChannel.open().bind(new InetSocketAddress("127.0.0.1", 0))) {
            byte[] endpoint = ByteBuffer.allocate(18).put((byte) 1).put((byte) 4)
                    .putShort((short) ((InetSocketAddress) peer.getLocalAddress()).getPort()).putInt(5).putInt(0)
                    .putShort((short) 1024).put(new byte[] {127, 0, 0, 1}).array();
            VerbsProbes a = probes(ROCE, 1);
            int handle = a.peer(new WayBytes(5, 1024, endpoint).encode());
            Map<Integer, Integer> ports = new TreeMap<>();
            for (int level : new int[] {0, 3, 7, 0, 3, 7, 9, 15}) {
                assertTrue(a.send(handle, 0, level, bytes("level " + level), 1));
                int port = ((InetSocketAddress) peer.receive(ByteBuffer.allocate(2048))).getPort();
                assertEquals(port, ports.computeIfAbsent(Math.min(level, 7), none -> port), "level=" + level);
                a.poll(new Told());
            }
            assertEquals(3, ports.values().stream().distinct().count(), ports::toString);
        }
    }

    /** The real thing: two agents, each on a thread, with real keys and the machine's clock. */
    @Test
    void twoAgentsReportEachOther() throws InterruptedException {
        FixedRegistry registry = new FixedRegistry();
        List<Report> reports = new CopyOnWriteArrayList<>();
        List<AgentInfo> infos = new ArrayList<>();
        for (int id = 0; id < 2; id++) {
            infos.add(new AgentInfo(id, "h" + id, "r", "p", probes(ROCE, 2).address(), 1, 10 + id));
        }
        registry.set(infos);
        List<AgentLoop> loops = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        // An answer that is too late is one that was not asked for: 128 probes further on, which are 2.5 s.
        AgentSettings settings = AgentSettings.defaults().withRate(50, 300_000_000).withTimeoutNs(400_000_000)
                .withServiceLevels(0, 5)
                .withSettleNs(0).withCpuLimit(100);
        for (int id = 0; id < 2; id++) {
            PingAgent agent = new PingAgent(infos.get(id), settings, ProbeKeys.of(1, new byte[16]), open.get(id),
                    registry, Clock.SYSTEM, reports::add, id);
            loops.add(new AgentLoop(agent, open.get(id), Clock.SYSTEM));
            threads.add(new Thread(loops.get(id), "agent-" + id));
        }
        threads.forEach(Thread::start);
        Waits.until("times of each by both flows at both levels", () -> List.of(0, 1).stream().allMatch(id ->
                reports.stream().filter(report -> report.from().id() == id)
                        .flatMap(report -> report.tallies().stream()).filter(tally -> tally.networkP50Ns() > 0)
                        .map(tally -> 8 * tally.flow() + tally.serviceLevel()).distinct().count() == 4), () -> reports);
        loops.forEach(AgentLoop::close);
        for (Thread thread : threads) {
            thread.join(Waits.limitNs() / 1_000_000);
            assertFalse(thread.isAlive(), "it does not end");
        }
        List<Tally> tallies = reports.stream().flatMap(report -> report.tallies().stream()).toList();
        assertTrue(tallies.stream().allMatch(tally -> tally.errors() == 0), tallies::toString);
        assertTrue(reports.stream().allMatch(report -> report.refusedForged() + report.refusedVersion()
                + report.refusedReplayed() == 0), reports::toString);
    }
}
