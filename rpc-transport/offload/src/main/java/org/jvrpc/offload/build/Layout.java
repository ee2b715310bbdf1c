package org.jvrpc.offload.build;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.offload.queue.ChainCq;
import org.jvrpc.offload.queue.ChainQueue;
import org.jvrpc.offload.wr.OrderException;
import org.jvrpc.offload.wr.OrderRequest;
import org.jvrpc.offload.wr.TriggerRequest;
import org.jvrpc.offload.wr.WorkRequest;
import org.jvrpc.offload.wr.Wr;

/** Gives the WRs of a program their blocks, and WAITs and ENABLEs what they count. */
public final class Layout {


    private final Draft program;
    private final Map<WorkRequest, Integer> completions = new HashMap<>();
    private final Map<ChainCq, Integer> perLap = new LinkedHashMap<>();
    private final Map<ChainCq, Object> sources = new HashMap<>();

    Layout(Draft program) {
        this.program = program;
    }

    /** Fills up, places, counts. */
    void place() {
        Map<ChainQueue, List<WorkRequest>> sends = program.allSends();
        for (Map.Entry<ChainQueue, List<WorkRequest>> entry : sends.entrySet()) {
            ChainQueue queue = entry.getKey();
            int blocks = blocks(entry.getValue());
            if (blocks > queue.blocks()) {
                throw new IllegalArgumentException("program " + program.name() + " is longer than its queue " + queue
                        + ": blocks=" + blocks + " ring=" + queue.blocks());
            }
            if (program.isRecycled() && blocks > 0) {
                fillUp(queue, entry.getValue(), blocks);
            }
            int block = queue.head();
            for (WorkRequest wr : entry.getValue()) {
                wr.place(queue, block);
                block += wr.blocks();
            }
        }
        for (Map.Entry<ChainQueue, List<WorkRequest>> entry : program.allTriggers().entrySet()) {
            placeTriggers(entry.getKey(), entry.getValue());
        }
        resolve();
    }

    /** Returns how many blocks of 64 bytes the WQEs take. */
    public static int blocks(List<WorkRequest> wrs) {
        return wrs.stream().mapToInt(WorkRequest::blocks).sum();
    }

    private void fillUp(ChainQueue queue, List<WorkRequest> wrs, int blocks) {
        if (!queue.isManaged()) {
            throw new OrderException("queue " + queue + " is not managed, and cannot be recycled");
        }
        if (queue.head() % queue.blocks() != 0) {
            throw new IllegalArgumentException(
                    "a recycled program begins at the start of its ring: " + queue + " head=" + queue.head());
        }
        int remaining = queue.blocks() - blocks;
        while (remaining > 0) {
            int segments = Math.min(remaining * Wqe.BLOCK / Wqe.SEGMENT, Wqe.MAX_SEGMENTS);
            wrs.add(Wr.pad(segments).comment("fills up the ring"));
            remaining -= Wqe.blocks(segments);
        }
    }

    private void placeTriggers(ChainQueue queue, List<WorkRequest> triggers) {
        if (queue.receives() > 0 && triggers.size() > queue.receives()) {
            throw new IllegalArgumentException("program " + program.name() + " has more triggers than the receive "
                    + "queue of " + queue + ": triggers=" + triggers.size() + " ring=" + queue.receives());
        }
        if (program.isRecycled() && queue.receives() % triggers.size() != 0) {
            throw new IllegalArgumentException("the receive ring of " + queue + " is no multiple of a lap's triggers: "
                    + "triggers=" + triggers.size() + " ring=" + queue.receives());
        }
        int index = queue.receiveHead();
        for (WorkRequest trigger : triggers) {
            trigger.place(queue, index++);
        }
    }

    /** Counts the completions of a lap, and works out producer indices; blocks are known. */
    private void resolve() {
        countCompletions();
        program.allSends().values().forEach(wrs -> wrs.forEach(this::resolve));
        program.starts().forEach(this::resolve);
    }

    void countCompletions() {
        completions.clear();
        perLap.clear();
        sources.clear();
        program.allSends().forEach((queue, wrs) -> count(queue.sendCq(), wrs, queue));
        program.allTriggers().forEach((queue, wrs) -> count(queue.receiveCq(), wrs, wrs));
    }

    private void count(ChainCq cq, List<WorkRequest> wrs, Object source) {
        for (WorkRequest wr : wrs) {
            if (wr.isSignalled()) {
                if (cq == null) {
                    throw new IllegalArgumentException(wr + " is signalled, but its CQ was not given");
                }
                Object first = sources.putIfAbsent(cq, source);
                boolean shared = first != null && first != source;
                int number = perLap.merge(cq, 1, Integer::sum) - 1;
                if (!shared) {
                    completions.put(wr, cq.produced() + number);
                } else {
                    completions.keySet().removeIf(other -> cqOf(other) == cq);
                    sources.put(cq, cq); // never equal to a queue again: nobody knows the order
                }
            }
        }
    }

    private static ChainCq cqOf(WorkRequest wr) {
        return wr instanceof TriggerRequest ? wr.queue().receiveCq() : wr.queue().sendCq();
    }

    private void resolve(WorkRequest wr) {
        if (wr instanceof OrderRequest order) {
            if (order.isWait()) {
                resolveWait(order);
            } else {
                resolveEnable(order);
            }
        }
    }

    private void resolveWait(OrderRequest wait) {
        if (wait.cq() != null) {
            wait.resolve(wait.number(), lap(wait.cq()), wait.cq().number());
            return;
        }
        WorkRequest subject = wait.subject();
        if (subject.queue() == null) {
            throw new OrderException(wait + " waits for " + subject.verb() + ", which is in no queue");
        }
        if (!subject.isSignalled()) {
            throw new OrderException(wait + " waits for " + subject + ", which is not signalled");
        }
        ChainCq cq = cqOf(subject);
        Integer completion = completions.get(subject);
        if (completion == null) {
            throw new OrderException(wait + " waits for " + subject + ", but its CQ " + cq
                    + (perLap.containsKey(cq) ? " has several sources: say which one" : " is not the program's"));
        }
        int increment = perLap.get(cq);
        wait.resolve(completion + wait.laps() * increment, lap(cq), cq.number());
    }

    private int lap(ChainCq cq) {
        return program.isRecycled() ? perLap.getOrDefault(cq, 0) : 0;
    }

    private void resolveEnable(OrderRequest enable) {
        ChainQueue queue = enable.target();
        if (queue == null || enable.subject() != null && enable.subject().block() < 0) {
            throw new OrderException(enable + " enables a WR that is in no queue: " + enable.subject());
        }
        boolean receive = enable.opcode() == Wqe.RECV_ENABLE;
        if (receive ? !queue.isManagedReceive() : !queue.isManaged()) {
            throw new OrderException(enable + " enables " + queue + ", which is not managed"
                    + (receive ? " for receives" : ""));
        }
        int lap = !program.isRecycled() ? 0
                : receive ? program.allTriggers().getOrDefault(queue, List.of()).size() : queue.blocks();
        int index;
        if (enable.isStage()) {
            index = endOfStage(queue, program.sends(queue).indexOf(enable) + 1);
        } else if (enable.isLap()) {
            index = endOfStage(queue, 0) + enable.laps() * queue.blocks();
        } else if (enable.subject() == null) {
            index = enable.number();
        } else {
            WorkRequest subject = enable.subject();
            index = subject.block() + (receive ? 1 : subject.blocks()) + enable.laps() * lap;
        }
        enable.resolve(index, lap, queue.number());
    }

    /** Returns the block behind the stage that a WR of a queue begins. */
    private int endOfStage(ChainQueue queue, int first) {
        List<WorkRequest> wrs = program.sends(queue);
        for (int i = first; i < wrs.size(); i++) {
            if (wrs.get(i) instanceof OrderRequest order && order.isStage()) {
                return order.block() + order.blocks();
            }
        }
        return queue.head() + (program.isRecycled() ? queue.blocks() : blocks(wrs));
    }

    /** Has the queues and CQs remember what this program takes of them. */
    void promise() {
        program.allSends().forEach((queue, wrs) -> queue.promise(blocks(wrs), 0));
        program.allTriggers().forEach((queue, wrs) -> queue.promise(0, wrs.size()));
        perLap.forEach(ChainCq::promise);
    }
}
