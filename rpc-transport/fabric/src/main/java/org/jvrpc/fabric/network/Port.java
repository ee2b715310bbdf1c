package org.jvrpc.fabric.network;

import org.jvrpc.fabric.event.Chance;
import org.jvrpc.fabric.event.EventQueue;
import org.jvrpc.fabric.event.EventTarget;

/**
 * One end of a link: sends what its device has, one frame after the other, at the link's rate; is paused by the other
 * end, and pauses it. A frame is stored whole before it goes on. Pauses are sent before all else, and again at half
 * their time while they last.
 */
public final class Port implements EventTarget {

    private static final int SENT = 0;
    private static final int ARRIVES = 1;
    private static final int PAUSE_ENDS = 2;
    private static final int REFRESH = 3;
    private static final int ALL = (1 << Pause.PRIORITIES) - 1;
    private static final long LATE_NS = 5_000;
    private static final long NS_BITS = 8_000_000_000L;

    private final Network network;
    private final EventQueue events;
    private final Device device;
    private final int index;
    private final int number;
    private long bitsPerSecond;
    private final long propagationNs;
    private final LinkFaults faults;
    private final FrameQueue pauses = new FrameQueue();
    private Port peer;
    private boolean busy;
    /** Kicked while it was busy. */
    private boolean kicked;
    /** What the frames sent took beyond whole nanoseconds, in bits a second. */
    private long remainder;

    /** Priorities that the other end paused, as bits. */
    private int paused;
    private final long[] pausedUntilNs = new long[Pause.PRIORITIES];
    private final long[] pausedSinceNs = new long[Pause.PRIORITIES];
    private final long[] pausedNs = new long[Pause.PRIORITIES];
    private long pauseSeenNs = Long.MIN_VALUE / 2;
    /** Priorities that this end pauses, and those of them whose refresh is scheduled. */
    private int pausing;
    private final long[] pausingSinceNs = new long[Pause.PRIORITIES];
    private final long[] pausingNs = new long[Pause.PRIORITIES];
    private int refreshing;
    private int quanta = Pause.MOST_QUANTA;
    private long reactionNs;

    private long sentFrames;
    private long sentBytes;
    private final long[] sentOf = new long[Pause.PRIORITIES];
    private long receivedFrames;
    private long sentPauses;
    private long receivedPauses;
    private final long[] sentPausesOf = new long[Pause.PRIORITIES];
    private final long[] receivedPausesOf = new long[Pause.PRIORITIES];
    private final long[] resumed = new long[Pause.PRIORITIES];

    Port(Network network, Device device, int index, int number, long bitsPerSecond, long propagationNs) {
        this.network = network;
        this.events = network.events();
        this.device = device;
        this.index = index;
        this.number = number;
        this.bitsPerSecond = bitsPerSecond;
        this.propagationNs = propagationNs;
        this.faults = new LinkFaults(new Chance(network.seed()).fork(number));
    }

    void join(Port other) {
        peer = other;
    }

    /** Sets how long its pauses are, and how long it takes to obey one. */
    public Port pauses(int newQuanta, long newReactionNs) {
        quanta = newQuanta;
        reactionNs = newReactionNs;
        return this;
    }

    /**
     * Sets the rate at which frames leave from now on, as of a link that lost lanes; one under way keeps its own. The
     * other end keeps its rate: a link that is slow both ways has both set. Pauses that come are of quanta of the new
     * rate, and those sent are refreshed in time for whichever end is faster.
     *
     * @param newBitsPerSecond 1 or more
     */
    public Port rate(long newBitsPerSecond) {
        if (newBitsPerSecond < 1) {
            throw new IllegalArgumentException("bitsPerSecond=" + newBitsPerSecond + " least=1");
        }
        if (newBitsPerSecond != bitsPerSecond) {
            bitsPerSecond = newBitsPerSecond;
            remainder = 0; // it was of the rate before
        }
        return this;
    }

    /** The device has something to send. */
    public void kick() {
        if (busy) {
            kicked = true;
            return;
        }
        busy = true; // the device may kick while it is asked
        Frame frame;
        do {
            kicked = false;
            frame = pauses.poll();
            if (frame == null) {
                frame = device.next(this, ~paused & ALL);
            }
        } while (frame == null && kicked);
        busy = frame != null;
        if (busy) {
            send(frame);
        }
    }

    private void send(Frame frame) {
        if (frame.kind != Frame.Kind.PAUSE) {
            sentOf[frame.lane]++;
        }
        sentFrames++;
        sentBytes += frame.bytes;
        long bits = (frame.bytes + Frame.GAP_BYTES) * NS_BITS + remainder;
        long endNs = events.nowNs() + bits / bitsPerSecond;
        remainder = bits % bitsPerSecond;
        network.trace(this, frame);
        events.schedule(endNs, this, SENT, frame, 0);
        LinkFaults.Fate fate = faults.befall(frame);
        frame.lost = fate == LinkFaults.Fate.LOST;
        if (frame.lost) {
            return;
        }
        long lateNs = frame.kind == Frame.Kind.PAUSE ? peer.reactionNs : fate == LinkFaults.Fate.LATE ? LATE_NS : 0;
        events.schedule(endNs + propagationNs + lateNs, peer, ARRIVES, frame, 0);
        if (fate == LinkFaults.Fate.TWICE) {
            Frame copy = network.frame();
            copy.copy(frame);
            copy.mac = frame.mac;
            events.schedule(endNs + propagationNs, peer, ARRIVES, copy, 0);
        }
    }

    @Override
    public void happen(int kind, Object subject, long argument) {
        switch (kind) {
            case ARRIVES -> arrive((Frame) subject);
            case SENT -> sent((Frame) subject);
            case PAUSE_ENDS -> pauseEnds();
            default -> refresh((int) argument);
        }
    }

    private void sent(Frame frame) {
        busy = false;
        if (frame.kind != Frame.Kind.PAUSE) {
            device.left(this, frame);
        }
        if (frame.lost) {
            network.release(frame);
        }
        kick();
    }

    private void arrive(Frame frame) {
        receivedFrames++;
        if (frame.kind == Frame.Kind.PAUSE) {
            obey(frame);
            network.release(frame);
        } else {
            device.receive(this, frame);
        }
    }

    // ---- paused by the other end

    private void obey(Frame frame) {
        long nowNs = events.nowNs();
        receivedPauses++;
        for (int priority = 0; priority < Pause.PRIORITIES; priority++) {
            if ((frame.enabled >> priority & 1) != 0) {
                receivedPausesOf[priority]++;
                obey(priority, frame.quanta[priority], nowNs);
            }
        }
        device.paused(this);
        kick();
    }

    private void obey(int priority, int newQuanta, long nowNs) {
        if (newQuanta == 0) {
            unpause(priority, nowNs);
            return;
        }
        pauseSeenNs = nowNs;
        if ((paused >> priority & 1) == 0) {
            paused |= 1 << priority;
            pausedSinceNs[priority] = nowNs;
        }
        pausedUntilNs[priority] = nowNs + Pause.durationNs(newQuanta, bitsPerSecond);
        events.schedule(pausedUntilNs[priority], this, PAUSE_ENDS, null, 0);
    }

    private void unpause(int priority, long nowNs) {
        if ((paused >> priority & 1) != 0) {
            paused &= ~(1 << priority);
            pausedNs[priority] += nowNs - pausedSinceNs[priority];
            resumed[priority]++;
        }
    }

    private void pauseEnds() {
        for (int priority = 0; priority < Pause.PRIORITIES; priority++) {
            if (pausedUntilNs[priority] <= events.nowNs()) {
                unpause(priority, events.nowNs());
            }
        }
        device.paused(this);
        kick();
    }

    // ---- pausing the other end

    /** Pauses a priority until {@link #resume}; harmless when repeated. */
    public void pause(int priority) {
        if ((pausing >> priority & 1) != 0) {
            return;
        }
        pausing |= 1 << priority;
        pausingSinceNs[priority] = events.nowNs();
        tell(priority, quanta);
        if ((refreshing >> priority & 1) == 0) {
            scheduleRefresh(priority);
        }
    }

    private void scheduleRefresh(int priority) {
        refreshing |= 1 << priority;
        long afterNs = Math.max(1, Pause.durationNs(quanta, Math.max(bitsPerSecond, peer.bitsPerSecond)) / 2);
        events.schedule(events.nowNs() + afterNs, this, REFRESH, null, priority);
    }

    private void refresh(int priority) {
        refreshing &= ~(1 << priority);
        if ((pausing >> priority & 1) != 0) {
            tell(priority, quanta);
            scheduleRefresh(priority);
        }
    }

    /** Lets the other end send a priority again. */
    public void resume(int priority) {
        if ((pausing >> priority & 1) != 0) {
            pausing &= ~(1 << priority);
            pausingNs[priority] += events.nowNs() - pausingSinceNs[priority];
            tell(priority, 0);
        }
    }

    private void tell(int priority, int count) {
        Frame frame = network.frame();
        frame.kind = Frame.Kind.PAUSE;
        frame.bytes = Frame.LEAST_BYTES;
        frame.packetBytes = 0;
        frame.enabled = 1 << priority;
        frame.quanta[priority] = count;
        sentPauses++;
        sentPausesOf[priority]++;
        pauses.add(frame);
        kick();
    }

    // ---- what it is and counted

    public Device device() {
        return device;
    }

    /** Returns its place among the ports of its device. */
    public int index() {
        return index;
    }

    /** Returns its place among all ports. */
    public int number() {
        return number;
    }

    public Port peer() {
        return peer;
    }

    /** Returns the rate at which frames leave now. */
    public long bitsPerSecond() {
        return bitsPerSecond;
    }

    /** Returns what befalls frames that leave here. */
    public LinkFaults faults() {
        return faults;
    }

    /** Returns the priorities that the other end has paused, as bits. */
    public int paused() {
        return paused;
    }

    /** Returns the priorities that this end has the other pause, as bits. */
    public int pausing() {
        return pausing;
    }

    /** Returns how long a priority was paused until now. */
    public long pausedNs(int priority) {
        boolean now = (paused >> priority & 1) != 0;
        return pausedNs[priority] + (now ? events.nowNs() - pausedSinceNs[priority] : 0);
    }

    /** Returns how long this end had a priority of the other paused until now; refreshes and all. */
    public long pausingNs(int priority) {
        boolean now = (pausing >> priority & 1) != 0;
        return pausingNs[priority] + (now ? events.nowNs() - pausingSinceNs[priority] : 0);
    }

    /** Returns how often a paused priority was let go again, by a frame or because its time was over. */
    public long pauseTransitions(int priority) {
        return resumed[priority];
    }

    /** Returns when the last pause came that did not end one; long ago when there was none. */
    long pauseSeenNs() {
        return pauseSeenNs;
    }

    public long sentFrames() {
        return sentFrames;
    }

    /** Returns how many frames of a lane were sent, without pauses. */
    public long sentFrames(int lane) {
        return sentOf[lane];
    }

    public long sentBytes() {
        return sentBytes;
    }

    public long receivedFrames() {
        return receivedFrames;
    }

    /** Returns how many pause frames were sent, those that end a pause among them. */
    public long sentPauses() {
        return sentPauses;
    }

    public long receivedPauses() {
        return receivedPauses;
    }

    /** Returns how many pause frames for a priority were sent, those that end a pause among them. */
    public long sentPauses(int priority) {
        return sentPausesOf[priority];
    }

    /** Returns how many pause frames for a priority came, those that end a pause among them. */
    public long receivedPauses(int priority) {
        return receivedPausesOf[priority];
    }
}
