package org.jvrpc.fabric.network;

import org.jvrpc.fabric.event.EventQueue;
import org.jvrpc.fabric.event.EventTarget;

/**
 * Watches the ports of a switch that face hosts. A port that has lossless frames, sends none, and is paused for over
 * 99 % of an interval is taken out of the lossless class, and comes back when no pause was seen for a while. Looks at
 * a port only as long as that may happen. Source: SIGCOMM'16, 4.3; the 99 % are SONiC's.
 */
final class SwitchWatchdog implements EventTarget {

    private static final int PERCENT = 99;

    private final Switch device;
    private final EventQueue events;
    private final SwitchSettings settings;
    private final boolean[] watched;
    private final boolean[] off;
    private final long[][] sent;
    private final long[][] pausedNs;

    SwitchWatchdog(Switch device, EventQueue events, SwitchSettings settings, int ports) {
        this.device = device;
        this.events = events;
        this.settings = settings;
        watched = new boolean[ports];
        off = new boolean[ports];
        sent = new long[ports][Pause.PRIORITIES];
        pausedNs = new long[ports][Pause.PRIORITIES];
    }

    boolean isOff(int port) {
        return off[port];
    }

    /** A port was paused, or has more to send while it is. */
    void look(int port) {
        if (watched[port] || !device.port(port).peer().device().isHost()) {
            return;
        }
        watched[port] = true;
        note(port);
        schedule(port, settings.watchdogNs);
    }

    private void schedule(int port, long afterNs) {
        events.schedule(events.nowNs() + afterNs, this, 0, null, port);
    }

    private void note(int port) {
        for (int lane = 0; lane < Pause.PRIORITIES; lane++) {
            sent[port][lane] = device.port(port).sentFrames(lane);
            pausedNs[port][lane] = device.port(port).pausedNs(lane);
        }
    }

    @Override
    public void happen(int kind, Object subject, long argument) {
        int port = (int) argument;
        if (off[port]) {
            recover(port);
        } else {
            watch(port);
        }
    }

    private void watch(int port) {
        if (isStorm(port)) {
            off[port] = true;
            device.counters().watchdogTrips++;
            device.dropLossless(port);
            schedule(port, settings.recoveryNs);
        } else if (device.port(port).paused() != 0) {
            note(port);
            schedule(port, settings.watchdogNs);
        } else {
            watched[port] = false;
        }
    }

    private boolean isStorm(int port) {
        for (int lane = 0; lane < Pause.PRIORITIES; lane++) {
            if ((settings.lossless >> lane & 1) != 0 && device.queuedBytes(port, lane) > 0
                    && device.port(port).sentFrames(lane) == sent[port][lane]
                    && device.port(port).pausedNs(lane) - pausedNs[port][lane] >= settings.watchdogNs / 100 * PERCENT) {
                return true;
            }
        }
        return false;
    }

    private void recover(int port) {
        long quietNs = events.nowNs() - device.port(port).pauseSeenNs();
        if (quietNs >= settings.recoveryNs) {
            off[port] = false;
            watched[port] = false;
        } else {
            schedule(port, settings.recoveryNs - quietNs);
        }
    }
}
