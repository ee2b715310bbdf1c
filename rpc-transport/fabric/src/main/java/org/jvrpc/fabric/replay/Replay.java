package org.jvrpc.fabric.replay;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jvrpc.roce.wire.Aeth;
import org.jvrpc.roce.wire.Opcode;
import org.jvrpc.roce.wire.Psn;

/**
 * A flow of a capture as the machines of {@code roce} see it: two requesters and two responders take what was captured,
 * at the captured times. A capture is made at one place. An answer that was seen there may be lost behind it, which a
 * READ that asks again tells, or be late, so an acknowledgement is taken no sooner than it can have been.
 */
public final class Replay {

    private final Flow flow;
    private final Notes notes;
    private final Sender[] senders = new Sender[2];
    private final Receiver[] receivers = new Receiver[2];
    /** Acknowledgements for a side that it may not have yet. */
    private final List<ArrayDeque<CapturedPacket>> late = List.of(new ArrayDeque<>(), new ArrayDeque<>());
    private final Set<CapturedPacket> lost;
    /** Those that were asked for again, by sides that asked. */
    private final List<List<CapturedPacket>> doubtful = List.of(new ArrayList<>(), new ArrayList<>());
    private final List<Map<Integer, Integer>> lastAsked = List.of(new HashMap<>(), new HashMap<>());

    private Replay(Flow flow) {
        this.flow = flow;
        notes = new Notes(flow);
        lost = lost(flow);
        for (CapturedPacket packet : flow.all()) {
            if (packet.isRead() || Opcode.isAtomic(packet.opcode())) {
                lastAsked.get(flow.side(packet)).put(packet.psn(), packet.number());
            }
        }
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
                replay.response(packet, 1 - from);
            } else {
                replay.arrive(from, packet.psn());
                replay.arriveAfterAll(from, packet);
                replay.senders[from].sent(packet);
                replay.receivers[1 - from].receive(packet, flow.mtu());
            }
        }
        for (int side = 0; side < 2; side++) {
            while (!replay.late.get(side).isEmpty()) {
                replay.senders[side].receive(replay.late.get(side).poll());
            }
        }
        return replay;
    }

    private void response(CapturedPacket packet, int to) {
        if (lost.contains(packet)) {
            doubtful.get(to).add(packet);
            notes.event(packet,
                    packet.words() + " was lost behind the place of the capture, or late: it is asked for again");
        } else if (packet.opcode() == Opcode.ACKNOWLEDGE && Aeth.isAck(packet.syndrome())) {
            late.get(to).add(packet);
        } else {
            arrive(to, packet.psn());
            senders[to].receive(packet);
        }
    }

    /** Has a side take the acknowledgements that it had when it sent or took what has a PSN. */
    private void arrive(int side, int psn) {
        ArrayDeque<CapturedPacket> waiting = late.get(side);
        while (!waiting.isEmpty() && Psn.difference(psn, waiting.peek().psn()) > 0) {
            senders[side].receive(waiting.poll());
        }
    }

    /** Has a side take answers that it asked for again, once it goes on behind them: they were late, or came again. */
    private void arriveAfterAll(int side, CapturedPacket request) {
        doubtful.get(side).removeIf(answer -> {
            boolean there = Psn.difference(request.psn(), answer.psn()) > 0
                    && request.number() > lastAsked.get(side).getOrDefault(answer.psn(), 0);
            if (there) {
                senders[side].receive(answer);
            }
            return there;
        });
    }

    /** Returns the answers to READs whose PSNs are the first of a later READ: they were not taken. */
    private static Set<CapturedPacket> lost(Flow flow) {
        Set<CapturedPacket> lost = new HashSet<>();
        List<Map<Integer, CapturedPacket>> answers = List.of(new HashMap<>(), new HashMap<>());
        for (CapturedPacket packet : flow.all()) {
            int side = flow.side(packet);
            if (packet.isResponse() && packet.opcode() != Opcode.ACKNOWLEDGE) {
                answers.get(side).put(packet.psn(), packet);
            } else if (packet.isRead() || Opcode.isAtomic(packet.opcode())) {
                CapturedPacket answer = answers.get(1 - side).remove(packet.psn());
                if (answer != null) {
                    lost.add(answer);
                }
            }
        }
        return lost;
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
