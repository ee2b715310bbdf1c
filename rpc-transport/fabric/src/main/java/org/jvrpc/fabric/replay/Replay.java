package org.jvrpc.fabric.replay;

import java.util.ArrayList;
import java.util.List;

/**
 * A flow of a capture as the machines of {@code roce} see it: two requesters and two responders take what was captured,
 * at the captured times. A capture is made at one place, where a packet was that may be lost behind it, or be late.
 */
public final class Replay {

    private final Flow flow;
    private final Notes notes;
    private final Sender[] senders = new Sender[2];
    private final Receiver[] receivers = new Receiver[2];

    private Replay(Flow flow) {
        this.flow = flow;
        notes = new Notes(flow);
        for (int side = 0; side < 2; side++) {
            Message.Script script = Message.script(flow, side);
            senders[side] = new Sender(flow, side, script, notes);
            receivers[1 - side] = new Receiver(flow, 1 - side, script.firstPsn(), notes);
        }
    }

    /** Follows a flow. */
    public static Replay of(Flow flow) {
        Replay replay = new Replay(flow);
        for (CapturedPacket packet : flow.all()) {
            int from = flow.side(packet);
            if (packet.isResponse()) {
                replay.receivers[from].answered(packet);
                replay.senders[1 - from].receive(packet);
            } else {
                replay.senders[from].sent(packet);
                replay.receivers[1 - from].receive(packet, flow.mtu());
            }
        }
        for (Sender sender : replay.senders) {
            sender.finish();
        }
        return replay;
    }

    /** Returns where ours would have done otherwise. */
    public List<String> differences() {
        return notes.differences();
    }

    /** Returns what happened that is worth a line: what was sent again or lost. */
    public List<String> events() {
        return notes.events();
    }

    /** Returns how the two ends stand in the end, in lines. */
    public List<String> states() {
        List<String> states = new ArrayList<>();
        for (int side = 0; side < 2; side++) {
            states.add(flow.side(side) + " sends: " + senders[side].state());
            states.add(flow.side(side) + " takes: " + receivers[side].state());
        }
        return states;
    }
}
