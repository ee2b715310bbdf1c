package org.jvrpc.verbs.contract;

import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.QueuePair;

/** How the QPs of a test meet where no exchange of endpoints connects them, as between hosts. */
public interface Meeting {

    /** Connects two QPs in INIT. */
    void connect(Device left, QueuePair one, Device right, QueuePair other);

    /** Sets how those of the next tests meet. @param how null: by exchange of endpoints */
    static void by(Meeting how) {
        Chosen.how = how;
    }

    /** Connects, and returns true, where another way was set. */
    static boolean connect(End left, End right) {
        Meeting how = Chosen.how;
        if (how != null) {
            how.connect(left.side.device, left.qp, right.side.device, right.qp);
        }
        return how != null;
    }

    /** What was set. */
    final class Chosen {

        private static volatile Meeting how;

        private Chosen() {
        }
    }
}
