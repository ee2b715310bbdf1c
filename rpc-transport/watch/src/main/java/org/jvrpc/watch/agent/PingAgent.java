package org.jvrpc.watch.agent;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.watch.AgentInfo;
import org.jvrpc.watch.Clock;
import org.jvrpc.watch.ProbeTransport;
import org.jvrpc.watch.Reading;
import org.jvrpc.watch.Registry;
import org.jvrpc.watch.Unit;
import org.jvrpc.watch.probe.ProbeKeys;
import org.jvrpc.watch.probe.ProbeLayout;
import org.jvrpc.watch.report.Report;
import org.jvrpc.watch.report.ReportLayout;
import org.jvrpc.watch.report.ReportSink;

/**
 * One agent, as a machine: it probes those that the registry has, answers them, and gives a report of each window. It
 * has no thread, clock or socket of its own: whoever drives it calls {@link #advance} when it is due or when something
 * may have come. One thread.
 *
 * <p>Six times tell the network's part of a probe from that of the two hosts: T1 when the probe is made, or was due
 * where that is much earlier, T2 when it leaves, T3 when it comes, T4 when the answer leaves, T5 when that comes, T6
 * when it was looked at. The network took (T5-T2) - (T4-T3), the prober's host (T6-T1) - (T5-T2), the responder's
 * T4-T3: differences of one clock each. Source: Pingmesh, SIGCOMM 2015; R-Pingmesh, SIGCOMM 2024.
 *
 * <p>While the agent itself does not run, no answer becomes late: a wait is over when the agent has run for so long.
 */
public final class PingAgent implements ProbeTransport.Events {

    /** The least rate of answers to one peer, a second. */
    private static final double LEAST_ANSWERS = 200;
    /** An agent that is so much later than it was due was stopped, or by this share of the timeout. */
    private static final long STOPPED_NS = 20_000_000;
    private static final int STOPPED_SHARE = 8;
    /** Threads wake so much later than they wish: what is due sooner is done now, what was is not late. */
    private static final long GRAIN_NS = 2_000_000;
    private static final int GRAIN_SHARE = 16;
    /** How far the wall clock may be off what the other clock says before it has jumped. */
    private static final long JUMP_MS = 1_000;
    private static final long CPU_EVERY_NS = 10_000_000_000L;
    private static final String DEVICE = "agent";

    private final AgentInfo self;
    private final AgentSettings settings;
    private final Clock clock;
    private final ReportSink sink;
    private final Mailbox mailbox;
    private final PeerTable peers;
    private final Prober prober;
    private final Responder responder;
    private final LateLimits limits;
    private final Throttle throttle;
    private final ArrayDeque<Window> closing = new ArrayDeque<>();
    private Supplier<List<Reading>> counters = List::of;
    private LongSupplier cpuNs = () -> 0;
    private Window window;
    private boolean begun;
    private long lastNs;
    private long dueNs;
    private long stoppedNs;
    private long nextProbeNs;
    private long nextCpuNs;
    private long cpuBefore;
    private long windowWallMs;
    private int clockJumps;
    private long talliesLeftOut;

    /**
     * Makes one.
     *
     * @param self as it stands in the registry, where it may or may not be yet
     * @param sink takes a report a window, on the thread that advances
     * @param seed decides what is random
     */
    public PingAgent(AgentInfo self, AgentSettings settings, ProbeKeys keys, ProbeTransport transport,
            Registry registry, Clock clock, ReportSink sink, long seed) {
        this.self = self;
        this.settings = settings;
        this.clock = Objects.requireNonNull(clock, "clock");
        this.sink = Objects.requireNonNull(sink, "sink");
        this.mailbox = new Mailbox(self, transport, keys);
        int recent = Math.max(128, Integer.highestOneBit((int) Math.min(1 << 16,
                4 * settings.perSecond() * settings.timeoutNs() / 1e9 + 1)) << 1);
        this.peers = new PeerTable(self, registry, transport, Math.max(LEAST_ANSWERS, 2 * settings.perSecond()),
                recent);
        peers.refresh();
        this.prober = new Prober(mailbox, peers, clock, settings, seed);
        this.responder = new Responder(mailbox, peers);
        this.limits = new LateLimits(self);
        this.throttle = new Throttle(settings.cpuLimit());
    }

    /** Sets what else goes into reports: counters of its host. Before the first advance. */
    public PingAgent withCounters(Supplier<List<Reading>> more) {
        this.counters = more;
        return this;
    }

    /** Sets what tells the time that this agent has taken of a processor, in nanoseconds. Before the first advance. */
    public PingAgent withCpu(LongSupplier usedNs) {
        this.cpuNs = usedNs;
        return this;
    }

    /**
     * Does what there is to do.
     *
     * @param nowNs of its clock
     * @return when it is due next at the latest; what comes meanwhile is looked at then, or in an earlier call
     */
    public long advance(long nowNs) {
        long now = nowNs;
        if (!begun) {
            begin(now);
        } else if (now < lastNs) {
            clockJumps++;
            now = lastNs;
        } else if (now - dueNs > Math.min(STOPPED_NS, settings.timeoutNs() / STOPPED_SHARE)) {
            stoppedNs += now - dueNs;
        }
        lastNs = now;
        mailbox.transport.poll(this);
        if (peers.refresh()) {
            prober.retarget();
        }
        prober.expire(now - stoppedNs);
        roll(now);
        probe(now);
        if (now >= nextCpuNs) {
            cpu(now);
        }
        long waitNs = Math.min(prober.dueAliveNs(), closing.isEmpty() ? Long.MAX_VALUE : closing.peek().closeAliveNs)
                - (now - stoppedNs);
        dueNs = Math.max(now, now + Math.min(waitNs, Math.min(nextProbeNs, Math.min(window.endNs, nextCpuNs)) - now));
        return dueNs;
    }

    private void begin(long now) {
        begun = true;
        nextProbeNs = now + settings.settleNs() + prober.gap(meanNs()) / 2;
        nextCpuNs = now + CPU_EVERY_NS;
        cpuBefore = cpuNs.getAsLong();
        open(now);
    }

    private long meanNs() {
        return Math.max(1, (long) (1e9 / (settings.perSecond() * throttle.share())));
    }

    /** Sends what is due; when it comes late, it does not make up for what it missed. */
    private void probe(long now) {
        long grainNs = Math.min(GRAIN_NS, settings.timeoutNs() / GRAIN_SHARE);
        if (now < nextProbeNs - grainNs) {
            return;
        }
        boolean late = now - nextProbeNs > grainNs;
        Probe probe = prober.send(now, late ? nextProbeNs : clock.nowNs(), now - stoppedNs);
        if (probe != null) {
            window.add(probe);
            mailbox.transport.poll(this); // when it left
        }
        nextProbeNs += prober.gap(meanNs());
        if (nextProbeNs < now) {
            nextProbeNs = now + prober.gap(meanNs());
        }
    }

    /** Opens the window that the wall clock is in, or whose edge it is near. */
    private void open(long now) {
        windowWallMs = clock.wallMs();
        double at = windowWallMs * 1e6 / settings.windowNs();
        long number = begun && window != null ? Math.round(at) : (long) at;
        long intoNs = windowWallMs * 1_000_000 - number * settings.windowNs();
        long leftNs = settings.windowNs() - intoNs;
        window = new Window(number, now, now + Math.max(settings.windowNs() / 4, leftNs));
    }

    /** Answers to the last probes of a window, and to what follows those, come within this after it. */
    private long graceNs() {
        return settings.timeoutNs() * 5 / 2 + Math.min(settings.windowNs(), Prober.FOLLOW_UPS * meanNs());
    }

    private void roll(long now) {
        if (now >= window.endNs) {
            long elapsedMs = (now - window.startNs) / 1_000_000;
            if (Math.abs(clock.wallMs() - windowWallMs - elapsedMs) > JUMP_MS) {
                clockJumps++;
            }
            window.closeAliveNs = now - stoppedNs + graceNs();
            closing.add(window);
            open(now);
        }
        while (!closing.isEmpty() && now - stoppedNs >= closing.peek().closeAliveNs) {
            close(closing.poll());
        }
    }

    private void close(Window over) {
        Window.Result result = over.close(limits);
        throttle.window(result.sent(), result.lost(), result.proberP99Ns());
        clockJumps += result.thrownAway();
        talliesLeftOut += result.leftOut();
        Report report = new Report(self, Math.max(0, over.number), settings.windowNs(), clockJumps, mailbox.forged,
                mailbox.replayed, mailbox.versions, result.tallies(), readings());
        clockJumps = 0;
        mailbox.forged = 0;
        mailbox.replayed = 0;
        mailbox.versions = 0;
        sink.accept(report);
    }

    private List<Reading> readings() {
        List<Reading> all = new ArrayList<>();
        count(all, "probes_sent", prober.sentProbes());
        count(all, "probes_answered", mailbox.answered);
        count(all, "probes_not_answered", mailbox.notAnswered);
        count(all, "probes_unlisted", mailbox.unlisted);
        count(all, "probes_damaged", mailbox.damaged);
        count(all, "queue_full", mailbox.full);
        count(all, "tallies_left_out", talliesLeftOut);
        count(all, "agents_other_version", peers.otherVersions());
        count(all, "rate_permille", Math.round(1000 * throttle.share()));
        all.add(Reading.of(DEVICE, 0, "stopped", stoppedNs, Unit.NANOSECONDS));
        for (int version = 0; version < mailbox.byVersion.length; version++) {
            if (mailbox.byVersion[version] > 0) {
                count(all, "probes_version_" + version, mailbox.byVersion[version]);
            }
        }
        if (peers.trouble() != null) {
            all.add(Reading.refused(DEVICE, 0, "registry", shortened(peers.trouble())));
        }
        all.addAll(counters.get());
        return all.size() > ReportLayout.MOST_COUNTERS ? List.copyOf(all.subList(0, ReportLayout.MOST_COUNTERS))
                : List.copyOf(all);
    }

    private static void count(List<Reading> to, String name, long value) {
        to.add(Reading.of(DEVICE, 0, name, value, Unit.COUNT));
    }

    private static String shortened(String text) {
        return text.length() > 120 ? text.substring(0, 120) : text;
    }

    private void cpu(long now) {
        long used = cpuNs.getAsLong();
        throttle.cpu((used - cpuBefore) / (double) (now - nextCpuNs + CPU_EVERY_NS));
        cpuBefore = used;
        nextCpuNs = now + CPU_EVERY_NS;
    }

    /** Returns why it probes less than it should, or null. The thread that advances. */
    public String throttled() {
        return throttle.reason();
    }

    /** Returns what is wrong with the list of agents, or null. The thread that advances. */
    public String trouble() {
        return peers.trouble();
    }

    @Override
    public void sent(long cookie, WcStatus status, long atNs) {
        if (cookie >= 0) {
            prober.sent(cookie, status, atNs);
        } else if (cookie != Long.MIN_VALUE) {
            responder.answered(cookie, status == WcStatus.SUCCESS, atNs);
        }
    }

    @Override
    public void received(ByteBuffer payload, long atNs) {
        ByteBuffer bytes = payload.slice(); // big-endian, from 0
        if (!mailbox.accepts(bytes)) {
            return;
        }
        switch (ProbeLayout.kind(bytes)) {
            case ProbeLayout.PROBE -> responder.probed(bytes, atNs, lastNs);
            case ProbeLayout.ACK, ProbeLayout.TIMES -> prober.answered(bytes, atNs);
            default -> mailbox.unlisted++;
        }
    }
}
