package org.jvrpc.roce.cm;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import org.jvrpc.roce.cm.CmNode.Message;
import org.jvrpc.roce.cm.message.Gid;
import org.jvrpc.roce.cm.message.RejectReason;

/**
 * Managers, consumers that do what a seed says, and a network that loses, doubles and delays what they say to each
 * other. A damaged message is a lost one: its packet's ICRC is wrong.
 */
final class CmNetwork {

    static final long MS = 1_000_000;

    /** What became of one connection, as each side's consumer knows it. */
    static final class Fate {
        CmConnection asked;
        CmConnection taken;
        boolean requestedTwice;
        boolean accepted;
        boolean replied;
        boolean ready;
        boolean refused;
        boolean established;
        boolean askedEnded;
        boolean takenEnded;
    }

    /** Something that happens at a time. */
    private record Due(long atNs, long order, Runnable what) {
    }

    final Random random;
    final CmNode client;
    final CmNode server;
    final List<Fate> fates = new ArrayList<>();
    double loss;
    double doubles;
    long longestDelayNs = 5 * MS;
    /** Whether packets of connections come through, by which each side hears of the other. */
    boolean packets;
    long nowNs;
    private final PriorityQueue<Due> due = new PriorityQueue<>((a, b) ->
            a.atNs != b.atNs ? Long.compare(a.atNs, b.atNs) : Long.compare(a.order, b.order));
    private final Map<Gid, CmNode> nodes = new HashMap<>();
    private final Map<Integer, Fate> byId = new HashMap<>();
    private long order;

    CmNetwork(long seed) {
        random = new Random(seed);
        client = new CmNode(1, random::nextInt, CmSettings.defaults());
        server = new CmNode(2, random::nextInt, CmSettings.defaults());
        server.listen();
        nodes.put(client.self.gid(), client);
        nodes.put(server.self.gid(), server);
    }

    void at(long delayNs, Runnable what) {
        due.add(new Due(nowNs + delayNs, order++, what));
    }

    long delay(long longestNs) {
        return (long) (random.nextDouble() * longestNs);
    }

    Fate connect() {
        Fate fate = new Fate();
        fates.add(fate);
        fate.asked = client.connect(server, nowNs);
        byId.put(fate.asked.localId, fate);
        return fate;
    }

    /** Runs until nothing is under way, or so many steps are done. @return false when they are done */
    boolean run(int steps) {
        for (int i = 0; i < steps; i++) {
            carry(client);
            carry(server);
            handle();
            long timer = Math.min(client.manager.deadlineNs(), server.manager.deadlineNs());
            if (!due.isEmpty() && due.peek().atNs <= timer) {
                nowNs = due.peek().atNs;
                due.poll().what.run();
            } else if (timer != ConnectionManager.NEVER) {
                nowNs = timer;
                client.manager.tick(nowNs);
                server.manager.tick(nowNs);
            } else if (client.sent.isEmpty() && server.sent.isEmpty()) {
                return true;
            }
        }
        return false;
    }

    private void carry(CmNode node) {
        for (Message m = node.sent.poll(); m != null; m = node.sent.poll()) {
            Message message = m;
            for (int copies = random.nextDouble() < doubles ? 2 : 1; copies > 0; copies--) {
                if (random.nextDouble() >= loss) {
                    at(delay(longestDelayNs), () -> nodes.get(message.to().gid()).receive(message, nowNs));
                }
            }
        }
    }

    private void handle() {
        for (CmEvent e = client.event(); e != null; e = client.event()) {
            Fate fate = byId.get(e.connection().localId);
            switch (e.kind()) {
                case REPLIED -> {
                    fate.replied = true;
                    at(delay(20 * MS), () -> makeReady(fate));
                }
                case REFUSED -> fate.refused = true;
                default -> fate.askedEnded = true;
            }
        }
        for (CmEvent e = server.event(); e != null; e = server.event()) {
            Fate fate = byId.get(e.connection().remoteId);
            switch (e.kind()) {
                case REQUESTED -> {
                    fate.requestedTwice |= fate.taken != null && fate.taken.state != CmConnection.State.GONE;
                    fate.accepted = false;
                    fate.takenEnded = false; // the one before was forgotten
                    fate.taken = e.connection();
                    at(delay(200 * MS), () -> answer(fate));
                }
                case ESTABLISHED -> {
                    fate.established = true;
                    hear(client, fate.asked);
                }
                default -> fate.takenEnded = true;
            }
        }
    }

    private void makeReady(Fate fate) {
        fate.ready = client.manager.ready(fate.asked, nowNs);
        if (fate.ready) {
            hear(server, fate.taken);
        }
    }

    /** The other side's packets come through, perhaps. */
    private void hear(CmNode node, CmConnection c) {
        if (packets) {
            at(delay(longestDelayNs), () -> node.manager.heard(c, nowNs));
        }
    }

    private void answer(Fate fate) {
        switch (random.nextInt(10)) {
            case 0 -> server.manager.reject(fate.taken, RejectReason.CONSUMER, CmNode.NONE, nowNs);
            case 1 -> { } // never
            default -> fate.accepted = server.accept(fate.taken, nowNs);
        }
    }
}
