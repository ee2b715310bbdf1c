package org.jvrpc.watch.fabric.mesh;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jvrpc.fabric.event.Chance;
import org.jvrpc.fabric.event.EventQueue;
import org.jvrpc.fabric.event.EventTarget;
import org.jvrpc.fabric.host.DatagramApplication;
import org.jvrpc.fabric.host.DatagramEndpoint;
import org.jvrpc.fabric.host.Nic;
import org.jvrpc.watch.report.Tally;

/**
 * A model of an agent at a host of the fabric: it sends probes, acks and times as agents do, by datagrams, and takes
 * the same six times. It has no seals, no registry and no throttle, and chooses targets by chance: a quarter in its own
 * rack.
 */
final class ModelAgent implements DatagramApplication, EventTarget {

    private static final int QKEY = 0x70696e67;
    private static final int FLOWS = 64;
    private static final int BITS = 8;
    private static final int LOSSLESS = 3;
    private static final int TICK = 0;
    private static final int NEAR = 4;
    /** Nobody waits for it to leave. */
    private static final long NOBODY = -1;
    /** A probe's cookie is below, an answer's is not. */
    private static final long ANSWERS = 1L << 40;

    /** What was received while the process stood. */
    private record Held(int mac, int qpn, ByteBuffer bytes, long nicNs) { }

    /** An answer whose time of sending is awaited. */
    private record Answer(int mac, int qpn, int place, int flow, int group, int level, long cameNs) { }

    private final int id;
    private final Nic nic;
    private final EventQueue events;
    private final DatagramEndpoint endpoint;
    private final Chance chance;
    private final MeshSettings settings;
    private final ByteBuffer bytes = ByteBuffer.allocate(ModelProbe.bytes(2));
    private final List<ModelGroup> groups = new ArrayList<>();
    /** Groups of others: which of their probes came. */
    private final Map<Long, Integer> came = new HashMap<>();
    private final Map<Long, Answer> answers = new HashMap<>();
    private long nextAnswer = ANSWERS;
    private int next;
    private long gapNs;
    private long standsUntilNs;
    private boolean dead;

    ModelAgent(int id, Nic nic, MeshSettings settings, Chance chance) {
        this.id = id;
        this.nic = nic;
        this.settings = settings;
        this.chance = chance;
        events = nic.network().events();
        endpoint = nic.datagrams(QKEY, nic.network().mtu(), this);
    }

    /** Begins a window: probes are spread over it, but for its end, when all have come back or are lost. */
    void begin() {
        groups.clear();
        came.clear();
        answers.clear();
        for (int i = 0; i < settings.targets(); i++) {
            groups.add(new ModelGroup(target(i), chance.below(FLOWS), chance.below(2) * LOSSLESS, chance.below(BITS)));
        }
        next = 0;
        long sendingNs = settings.windowNs() - settings.timeoutNs();
        gapNs = sendingNs / ((long) settings.targets() * ModelProbe.PLACES + 1);
        events.schedule(events.nowNs() + 1 + chance.below((int) gapNs), this, TICK, null, 0);
    }

    private int target(int index) {
        int perTor = settings.hostsPerTor();
        while (true) {
            int target = index % NEAR == 0 ? id / perTor * perTor + chance.below(perTor)
                    : chance.below(settings.hosts());
            if (target != id) {
                return target;
            }
        }
    }

    /** The process stands until then: neither sends nor sees what came. */
    void stand(long untilNs) {
        standsUntilNs = untilNs;
    }

    void die() {
        dead = true;
    }

    boolean isDead() {
        return dead;
    }

    @Override
    public void happen(int kind, Object subject, long argument) {
        if (dead) {
            return;
        }
        if (subject instanceof Held held) {
            take(held.mac, held.qpn, held.bytes, 0, held.nicNs);
        } else if (kind == TICK) {
            tick();
        } else {
            left(argument, (Long) subject);
        }
    }

    private void tick() {
        if (events.nowNs() < standsUntilNs) {
            events.schedule(standsUntilNs, this, TICK, null, 0);
            return;
        }
        int index = next % settings.targets();
        int place = next / settings.targets(); // a flow's probes are far apart: a black hole stays, a burst does not
        ModelGroup group = groups.get(index);
        ModelProbe.write(bytes, ModelProbe.bytes(group.size(place)), ModelProbe.PROBE, place, group.level(),
                group.flow(), index, 0);
        if (endpoint.send(group.target(), endpoint.qpn(), TracedPaths.sourcePort(group.flow()), group.level(), bytes,
                next)) {
            group.posted(place, events.nowNs());
        }
        if (++next < settings.targets() * ModelProbe.PLACES) {
            events.schedule(events.nowNs() + gapNs, this, TICK, null, 0);
        }
    }

    @Override
    public void sent(long cookie, long nicNs) {
        if (events.nowNs() < standsUntilNs) {
            events.schedule(standsUntilNs, this, TICK + 1, nicNs, cookie);
        } else if (!dead) {
            left(cookie, nicNs);
        }
    }

    private void left(long cookie, long nicNs) {
        if (cookie == NOBODY) {
            return;
        }
        if (cookie < ANSWERS) {
            int index = (int) cookie;
            groups.get(index % settings.targets()).left(index / settings.targets(), nicNs);
            return;
        }
        Answer answer = answers.remove(cookie);
        if (answer != null) {
            ModelProbe.write(bytes, ModelProbe.ANSWER_BYTES, ModelProbe.TIMES, answer.place, answer.level,
                    answer.flow, answer.group, nicNs - answer.cameNs);
            answer(answer.mac, answer.qpn, answer.flow, answer.level, NOBODY);
        }
    }

    private void answer(int mac, int qpn, int flow, int level, long cookie) {
        endpoint.send(mac, qpn, TracedPaths.sourcePort(flow), level, bytes, cookie);
    }

    @Override
    public void arrived(int mac, int qpn, ByteBuffer from, int at, int length, long nicNs) {
        if (events.nowNs() < standsUntilNs) {
            ByteBuffer copy = ByteBuffer.allocate(length).put(0, from, at, length);
            events.schedule(standsUntilNs, this, TICK + 1, new Held(mac, qpn, copy, nicNs), 0);
        } else if (!dead) {
            take(mac, qpn, from, at, nicNs);
        }
    }

    private void take(int mac, int qpn, ByteBuffer from, int at, long nicNs) {
        int place = ModelProbe.place(from, at);
        int group = ModelProbe.group(from, at);
        switch (ModelProbe.kind(from, at)) {
            case ModelProbe.PROBE -> respond(mac, qpn, place, ModelProbe.level(from, at), ModelProbe.flow(from, at),
                    group, nicNs);
            case ModelProbe.ACK -> {
                if (group < groups.size()) {
                    groups.get(group).acked(place, (int) ModelProbe.value(from, at), nicNs, events.nowNs());
                }
            }
            default -> {
                if (group < groups.size()) {
                    groups.get(group).times(place, ModelProbe.value(from, at));
                }
            }
        }
    }

    /** Answers go by the flow and at the service level of their probe. */
    private void respond(int mac, int qpn, int place, int level, int flow, int group, long nicNs) {
        int bits = came.merge((long) mac << Integer.SIZE | group, 1 << place, (a, b) -> a | b);
        long cookie = nextAnswer++;
        answers.put(cookie, new Answer(mac, qpn, place, flow, group, level, nicNs));
        ModelProbe.write(bytes, ModelProbe.ANSWER_BYTES, ModelProbe.ACK, place, level, flow, group, bits);
        answer(mac, qpn, flow, level, cookie);
    }

    /** Returns what became of the window's probes. */
    List<Tally> tallies() {
        List<Tally> tallies = new ArrayList<>(groups.size() * ModelProbe.PLACES);
        groups.forEach(group -> group.tally(tallies));
        return tallies;
    }

    Nic nic() {
        return nic;
    }
}
