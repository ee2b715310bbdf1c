package org.jvrpc.fabric.replay;

import java.util.ArrayList;
import java.util.List;

/** What is to be said of a flow: where ours would have done otherwise, and what happened. Long lists are cut off. */
final class Notes {

    private static final int MOST = 20;

    private final List<String> differences = new ArrayList<>();
    private final List<String> events = new ArrayList<>();
    private final Flow flow;
    private int differencesLeftOut;
    private int eventsLeftOut;

    Notes(Flow flow) {
        this.flow = flow;
    }

    void difference(CapturedPacket at, int side, String theirs, String ours) {
        if (differences.size() < MOST) {
            differences.add("frame " + at.number() + ": " + flow.side(side) + " " + theirs + "; ours " + ours);
        } else {
            differencesLeftOut++;
        }
    }

    void event(CapturedPacket at, String what) {
        if (events.size() < MOST) {
            events.add("frame " + at.number() + ": " + flow.side(flow.side(at)) + " " + what);
        } else {
            eventsLeftOut++;
        }
    }

    List<String> differences() {
        return cut(differences, differencesLeftOut);
    }

    List<String> events() {
        return cut(events, eventsLeftOut);
    }

    private static List<String> cut(List<String> notes, int leftOut) {
        List<String> all = new ArrayList<>(notes);
        if (leftOut > 0) {
            all.add("and " + leftOut + " more");
        }
        return all;
    }
}
