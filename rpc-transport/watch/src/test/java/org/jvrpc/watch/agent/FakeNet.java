package org.jvrpc.watch.agent;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.watch.AgentInfo;
import org.jvrpc.watch.Clock;
import org.jvrpc.watch.FlowKind;
import org.jvrpc.watch.ProbeTransport;
import org.jvrpc.watch.StampSource;
import org.jvrpc.watch.probe.ProbeKeys;
import org.jvrpc.watch.probe.ProbeLayout;
import org.jvrpc.watch.registry.FixedRegistry;
import org.jvrpc.watch.report.Report;

/** Agents in one thread and in time that is made up; each packet takes {@link #DELAY_NS}. */
final class FakeNet implements Clock {

    static final long DELAY_NS = 10_000;
    static final ProbeKeys KEYS = ProbeKeys.of(1, new byte[16]);

    final FixedRegistry registry = new FixedRegistry();
    final List<Report> reports = new ArrayList<>();
    final List<Packet> packets = new ArrayList<>();
    final TreeMap<Integer, Host> hosts = new TreeMap<>();
    Predicate<Packet> loses = packet -> false;
    long nowNs = 1_000;
    long wallOffsetMs = 1_800_000_000_000L;
    private final PriorityQueue<Packet> flying = new PriorityQueue<>(
            (a, b) -> a.atNs() != b.atNs() ? Long.compare(a.atNs(), b.atNs()) : Long.compare(a.number(), b.number()));

    /** On its way. */
    record Packet(int from, int to, byte[] bytes, long atNs, long number) {

        int kind() {
            return ProbeLayout.kind(ByteBuffer.wrap(bytes));
        }
    }

    /** An agent with what it is reached by. */
    final class Host implements ProbeTransport {
        final AgentInfo info;
        private final ArrayDeque<Runnable> events = new ArrayDeque<>();
        private Events told;
        PingAgent agent;
        long dueNs;
        boolean stands;
        boolean hasRoom = true;
        /** When a datagram leaves is known before it does. */
        boolean foretells;
        int flows = 4;
        /** Handles that were taken and not given back. */
        final List<Integer> handles = new ArrayList<>();

        private Host(int id, String rack) {
            info = new AgentInfo(id, "h" + id, rack, "p", new byte[] {(byte) id}, ProbeLayout.VERSION, 100 + id);
        }

        private void take(byte[] bytes, long atNs) {
            events.add(() -> told.received(ByteBuffer.wrap(bytes), atNs));
            dueNs = Math.min(dueNs, nowNs);
        }

        @Override
        public byte[] address() {
            return info.address();
        }

        @Override
        public int maxBytes() {
            return 4096;
        }

        @Override
        public int flows() {
            return flows;
        }

        @Override
        public FlowKind flowKind() {
            return FlowKind.PORT;
        }

        @Override
        public StampSource stamps() {
            return StampSource.NIC;
        }

        @Override
        public long sendNs() {
            return foretells ? nowNs : Long.MIN_VALUE;
        }

        @Override
        public int peer(byte[] address) {
            if (address.length != 1) {
                throw new IllegalArgumentException("bytes=" + address.length);
            }
            handles.add((int) address[0]);
            return address[0];
        }

        @Override
        public void forget(int peer) {
            if (!handles.remove((Integer) peer)) {
                throw new AssertionError("nobody has the handle " + peer);
            }
        }

        @Override
        public boolean send(int peer, int flow, int serviceLevel, ByteBuffer payload, long cookie) {
            if (!handles.contains(peer)) {
                throw new AssertionError("nobody has the handle " + peer);
            }
            if (!hasRoom) {
                return false;
            }
            byte[] bytes = new byte[payload.remaining()];
            payload.get(payload.position(), bytes);
            long atNs = nowNs;
            events.add(() -> told.sent(cookie, WcStatus.SUCCESS, atNs));
            Packet packet = new Packet(info.id(), peer, bytes, nowNs + DELAY_NS, packets.size());
            packets.add(packet);
            if (!loses.test(packet)) {
                flying.add(packet);
            }
            return true;
        }

        @Override
        public int poll(Events to) {
            told = to;
            int count = events.size();
            for (int i = 0; i < count; i++) {
                events.poll().run();
            }
            return count;
        }

        @Override
        public void await(long timeoutNs) {
            throw new AssertionError("nobody waits here");
        }

        @Override
        public void close() {
            events.clear();
        }
    }

    /** Adds a host whose agent is made when it {@link #start}s. */
    Host host(int id, String rack) {
        Host host = new Host(id, rack);
        hosts.put(id, host);
        registry.set(hosts.values().stream().map(each -> each.info).toList());
        return host;
    }

    Host start(Host host, AgentSettings settings, ProbeKeys keys) {
        host.agent = new PingAgent(host.info, settings, keys, host, registry, this, reports::add, host.info.id());
        host.dueNs = nowNs;
        return host;
    }

    /** Gives a host bytes as if they had come over the network. */
    void inject(Host to, byte[] bytes) {
        to.take(bytes, nowNs);
    }

    /** Lets time pass. */
    void run(long ms) {
        long untilNs = nowNs + ms * 1_000_000;
        while (true) {
            long nextNs = flying.isEmpty() ? Long.MAX_VALUE : flying.peek().atNs();
            for (Host host : hosts.values()) {
                nextNs = host.agent == null || host.stands ? nextNs : Math.min(nextNs, host.dueNs);
            }
            if (nextNs > untilNs) {
                nowNs = untilNs;
                return;
            }
            nowNs = Math.max(nowNs, nextNs);
            while (!flying.isEmpty() && flying.peek().atNs() <= nowNs) {
                Packet packet = flying.poll();
                if (hosts.containsKey(packet.to())) {
                    hosts.get(packet.to()).take(packet.bytes(), packet.atNs());
                }
            }
            for (Host host : hosts.values()) {
                if (host.agent != null && !host.stands && host.dueNs <= nowNs) {
                    long dueNs = host.agent.advance(nowNs);
                    host.dueNs = host.events.isEmpty() ? dueNs : nowNs;
                }
            }
        }
    }

    @Override
    public long nowNs() {
        return nowNs;
    }

    @Override
    public long wallMs() {
        return wallOffsetMs + nowNs / 1_000_000;
    }
}
