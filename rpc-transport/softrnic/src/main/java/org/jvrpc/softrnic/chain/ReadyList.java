package org.jvrpc.softrnic.chain;

/**
 * The queues of a group with WQEs that they may execute, unless they wait: first those that had some when the run
 * began, then others in the order of their ENABLEs. One that waits stays, as any other may end its wait, or change what
 * it waits for. With the claim of the group.
 */
final class ReadyList {

    private CrossChannelQueue[] list = new CrossChannelQueue[0];
    private int count;

    /** Takes up those of all queues where the last run stopped. */
    void begin(CrossChannelQueue[] queues) {
        if (list.length < queues.length) {
            list = new CrossChannelQueue[queues.length];
        }
        count = 0;
        for (CrossChannelQueue queue : queues) {
            if (queue.begin()) {
                add(queue);
            }
        }
    }

    /** Adds one that is not listed. */
    void add(CrossChannelQueue queue) {
        list[count++] = queue;
    }

    /** Runs each once, those that are enabled meanwhile, too; false when nothing was done. */
    boolean round() {
        boolean progress = false;
        for (int i = 0; i < count; i++) {
            progress |= list[i].run();
        }
        int kept = 0;
        for (int i = 0; i < count; i++) {
            CrossChannelQueue queue = list[i];
            if (queue.staysReady()) {
                if (kept != i) {
                    list[kept] = queue;
                }
                kept++;
            }
        }
        count = kept;
        return progress;
    }
}
