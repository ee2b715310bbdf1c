package org.jvrpc.watch.agent;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.SplittableRandom;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.watch.Clock;
import org.jvrpc.watch.probe.ProbeLayout;

/**
 * Sends probes and takes their answers. When one is not answered in time and no later answer of that host says whether
 * it had come, a short one follows by another flow, whose answer says so. One thread.
 */
final class Prober {

    /** What is sent later by this share of the timeout does not overtake. */
    private static final int OVERTAKING_SHARE = 8;
    /** One of so many probes at most follows another one. */
    static final int FOLLOW_UPS = 4;
    /** Probes whose sending is waited for, a power of two. */
    private static final int UNDER_WAY = 4096;

    private final Mailbox mailbox;
    private final PeerTable peers;
    private final Clock clock;
    private final AgentSettings settings;
    private final SplittableRandom random;
    private final Flows flows;
    private final int[] sizes;
    private final Probe[] underWay = new Probe[UNDER_WAY];
    private final ArrayDeque<Probe> waiting = new ArrayDeque<>();
    private final ArrayDeque<Peer> followUps = new ArrayDeque<>();
    private Targets targets;
    private long number;
    private int sinceFollowUp;

    Prober(Mailbox mailbox, PeerTable peers, Clock clock, AgentSettings settings, long seed) {
        this.mailbox = mailbox;
        this.peers = peers;
        this.clock = clock;
        this.settings = settings;
        this.random = new SplittableRandom(seed);
        this.flows = new Flows(mailbox.self.id(), Math.min(mailbox.transport.flows(), 1 << 16),
                settings.flowsPerTarget(), settings.flowChangeNs());
        this.sizes = settings.sizes(mailbox.transport.maxBytes());
        retarget();
    }

    /** The registry has changed. */
    void retarget() {
        targets = new Targets(mailbox.self, peers.usable(), settings.sameRackShare());
        followUps.removeIf(peer -> peers.find(peer.info.id()) != peer);
    }

    /**
     * Sends the next probe.
     *
     * @param dueNs when it should have been
     * @param aliveNs time of a clock that stands while the agent does
     * @return it, or null when there is nobody or no room
     */
    Probe send(long nowNs, long dueNs, long aliveNs) {
        boolean follows = ++sinceFollowUp >= FOLLOW_UPS && !followUps.isEmpty();
        Peer peer = follows ? followUps.poll() : targets.next();
        if (peer == null) {
            return null;
        }
        int length = follows ? ProbeLayout.BYTES : sizes[random.nextInt(sizes.length)];
        int[] levels = settings.serviceLevels();
        int flow = flows.flow(peer.info.id(), random.nextInt(flows.perTarget()), nowNs);
        Probe probe = new Probe(peer, number++, peer.nextSequence(), random.nextInt(), flow,
                AgentSettings.sizeClass(length), levels[random.nextInt(levels.length)], follows, dueNs,
                aliveNs + settings.timeoutNs());
        sinceFollowUp = follows ? 0 : sinceFollowUp;
        if (!mailbox.probe(probe, length)) {
            peer.followed &= !follows;
            return null;
        }
        underWay[(int) probe.number & UNDER_WAY - 1] = probe;
        peer.remember(probe);
        waiting.add(probe);
        return probe;
    }

    /** Returns the random gap to the next probe: agents do not fall into step. */
    long gap(long meanNs) {
        return meanNs / 2 + random.nextLong(meanNs + 1);
    }

    /** A probe has left, or could not. */
    void sent(long cookie, WcStatus status, long t2) {
        long which = cookie >>> 1;
        Probe probe = underWay[(int) which & UNDER_WAY - 1];
        if (probe == null || probe.number != which) {
            return;
        }
        underWay[(int) which & UNDER_WAY - 1] = null;
        probe.t2 = t2;
        probe.sent = status == WcStatus.SUCCESS;
        probe.failed = !probe.sent;
    }

    /** A genuine answer has come. */
    void answered(ByteBuffer payload, long t5) {
        Peer peer = peers.find(ProbeLayout.responder(payload));
        Probe probe = peer == null ? null : peer.find(ProbeLayout.sequence(payload));
        if (ProbeLayout.prober(payload) != mailbox.self.id()
                || ProbeLayout.incarnation(payload) != mailbox.self.incarnation() || peer == null
                || !peer.has(ProbeLayout.sequence(payload))) {
            mailbox.unlisted++;
            return;
        }
        boolean times = ProbeLayout.kind(payload) == ProbeLayout.TIMES;
        if (probe == null || probe.nonce != ProbeLayout.nonce(payload)
                || (times ? probe.timed : probe.acknowledged)) {
            mailbox.replayed++;
        } else if (times) {
            probe.timed = true;
            probe.responderNs = ProbeLayout.value(payload);
        } else {
            acknowledged(probe, payload, t5);
        }
    }

    private void acknowledged(Probe probe, ByteBuffer payload, long t5) {
        probe.acknowledged = true;
        probe.t5 = t5;
        probe.damaged = (ProbeLayout.flags(payload) & ProbeLayout.DAMAGED) != 0 || !ProbeLayout.isWhole(payload);
        long tookNs = ProbeLayout.tookNs(payload);
        if (tookNs >= 0) {
            probe.timed = true;
            probe.responderNs = tookNs;
        }
        int bits = ProbeLayout.before(payload);
        for (int i = 0; i < Integer.SIZE; i++) {
            Probe earlier = probe.peer.find(probe.sequence - 1 - i);
            if (earlier == null || earlier.acknowledged) {
                continue;
            }
            if ((bits >>> i & 1) != 0) {
                earlier.way = Probe.Way.BACK_LOST;
            } else if (earlier.way == Probe.Way.UNKNOWN
                    && probe.t1 - earlier.t1 > settings.timeoutNs() / OVERTAKING_SHARE) {
                earlier.way = Probe.Way.FORWARD_LOST;
            }
        }
        probe.t6 = clock.nowNs();
    }

    /** Looks for what was not answered in time. @param aliveNs as with {@link #send} */
    void expire(long aliveNs) {
        while (!waiting.isEmpty() && (waiting.peek().isComplete() || waiting.peek().deadline <= aliveNs)) {
            Probe probe = waiting.poll();
            Peer peer = probe.peer;
            if (probe.followUp) {
                peer.followed = false;
            } else if (!probe.acknowledged && !probe.failed && probe.way == Probe.Way.UNKNOWN && !peer.followed
                    && peers.find(peer.info.id()) == peer) {
                peer.followed = true;
                followUps.add(peer);
            }
        }
    }

    /** Returns when the next one is overdue. */
    long dueAliveNs() {
        return waiting.isEmpty() ? Long.MAX_VALUE : waiting.peek().deadline;
    }

    /** Returns how many probes were handed over. */
    long sentProbes() {
        return number;
    }
}
