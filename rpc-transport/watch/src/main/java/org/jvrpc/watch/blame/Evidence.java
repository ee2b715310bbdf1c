package org.jvrpc.watch.blame;

import java.util.Arrays;
import java.util.BitSet;
import org.jvrpc.watch.report.Tally;

/**
 * What one window's probes met, flow by flow, with the parts of their way: 40 bytes a flow and 4 a part of it. What a
 * verdict explains is taken out, way by way.
 */
final class Evidence {

    private static final int FIRST = 1024;
    private static final int FIELDS = 10;
    private static final int FROM = 0;
    private static final int TO = 1;
    private static final int FLOW = 2;
    private static final int CLASS = 3;
    private static final int SENT = 4;
    private static final int FORWARD = 5;
    private static final int BACK = 6;
    private static final int UNKNOWN = 7;
    private static final int P50 = 8;
    private static final int P99 = 9;
    private static final int PLACES = 3;
    private static final int LEVELS = 8;

    /** What becomes of one flow's ways. */
    static final int GONE_FORWARD = 0;
    static final int GONE_BACK = 1;
    static final int GONE_UNKNOWN = 2;
    static final int GONE_LATE = 3;
    static final int GONE_SHIFTED = 4;

    private final long window;
    private final BitSet[] gone = {new BitSet(), new BitSet(), new BitSet(), new BitSet(), new BitSet()};
    private int count;
    private final int[] fields;
    /** Where the way there begins, where the way back, and where it ends. */
    private final int[] places;
    private int[] way = new int[FIRST];
    private int wayEnd;

    /** @param flows that there will be at most */
    Evidence(long window, int flows) {
        this.window = window;
        fields = new int[flows * FIELDS];
        places = new int[flows * PLACES];
    }

    /** Adds a flow: parts of the way there, then of the way back; both as the flow before when null. */
    void add(int fromHost, int toHost, Tally tally, int[] there, int[] back) {
        int at = count * FIELDS;
        fields[at + FROM] = fromHost;
        fields[at + TO] = toHost;
        fields[at + FLOW] = tally.flow();
        fields[at + CLASS] = tally.size() * LEVELS + tally.serviceLevel();
        fields[at + SENT] = tally.sent();
        fields[at + FORWARD] = tally.lostForward();
        fields[at + BACK] = tally.lostBack();
        fields[at + UNKNOWN] = tally.lostUnknown();
        fields[at + P50] = (int) Math.min(Integer.MAX_VALUE, tally.networkP50Ns());
        fields[at + P99] = (int) Math.min(Integer.MAX_VALUE, tally.networkP99Ns());
        int place = count * PLACES;
        if (there == null) {
            System.arraycopy(places, place - PLACES, places, place, PLACES);
        } else {
            places[place] = wayEnd;
            append(there);
            places[place + 1] = wayEnd;
            append(back);
            places[place + 2] = wayEnd;
        }
        count++;
    }

    private void append(int[] parts) {
        while (wayEnd + parts.length > way.length) {
            way = Arrays.copyOf(way, way.length + way.length / 2);
        }
        System.arraycopy(parts, 0, way, wayEnd, parts.length);
        wayEnd += parts.length;
    }

    long window() {
        return window;
    }

    int count() {
        return count;
    }

    int from(int flow) {
        return fields[flow * FIELDS + FROM];
    }

    int to(int flow) {
        return fields[flow * FIELDS + TO];
    }

    int flow(int flow) {
        return fields[flow * FIELDS + FLOW];
    }

    /** Returns size class x 8 + service level. */
    int kind(int flow) {
        return fields[flow * FIELDS + CLASS];
    }

    int sent(int flow) {
        return fields[flow * FIELDS + SENT];
    }

    int lostForward(int flow) {
        return fields[flow * FIELDS + FORWARD];
    }

    int lostBack(int flow) {
        return fields[flow * FIELDS + BACK];
    }

    int lostUnknown(int flow) {
        return fields[flow * FIELDS + UNKNOWN];
    }

    /** Returns how many came back. */
    int received(int flow) {
        int at = flow * FIELDS;
        return fields[at + SENT] - fields[at + FORWARD] - fields[at + BACK] - fields[at + UNKNOWN];
    }

    int p50(int flow) {
        return fields[flow * FIELDS + P50];
    }

    int p99(int flow) {
        return fields[flow * FIELDS + P99];
    }

    /** Returns how many of those that came back p99 stands for. */
    int tail(int flow) {
        int received = received(flow);
        return received <= 1 ? 0 : Math.max(1, received / 100);
    }

    /** Returns how many parts a flow's ways have, both together. */
    int hops(int flow) {
        return places[flow * PLACES + 2] - places[flow * PLACES];
    }

    int thereAt(int flow) {
        return places[flow * PLACES];
    }

    int backAt(int flow) {
        return places[flow * PLACES + 1];
    }

    int endAt(int flow) {
        return places[flow * PLACES + 2];
    }

    int part(int at) {
        return way[at];
    }

    boolean goesThere(int flow, int part) {
        return isAmong(part, thereAt(flow), backAt(flow)) || isHost(flow, part);
    }

    boolean comesBack(int flow, int part) {
        return isAmong(part, backAt(flow), endAt(flow)) || isHost(flow, part);
    }

    private boolean isHost(int flow, int part) {
        return from(flow) == part || to(flow) == part;
    }

    private boolean isAmong(int part, int from, int to) {
        for (int at = from; at < to; at++) {
            if (way[at] == part) {
                return true;
            }
        }
        return false;
    }

    boolean isGone(int way, int flow) {
        return gone[way].get(flow);
    }

    void take(int way, int flow) {
        gone[way].set(flow);
    }

    void takeTimes(int flow) {
        gone[GONE_LATE].set(flow);
        gone[GONE_SHIFTED].set(flow);
    }

    /** Takes all out that a host has a part in. */
    void takeHost(int host) {
        for (int flow = 0; flow < count; flow++) {
            if (isHost(flow, host)) {
                takeAll(flow);
            }
        }
    }

    void takeAll(int flow) {
        for (BitSet each : gone) {
            each.set(flow);
        }
    }

    /** Puts all back, for the next judgement. */
    void reset() {
        for (BitSet each : gone) {
            each.clear();
        }
    }
}
