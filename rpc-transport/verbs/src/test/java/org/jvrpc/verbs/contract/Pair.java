package org.jvrpc.verbs.contract;

import org.jvrpc.verbs.QueuePairState;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.WcOpcode;

/** Two connected QPs. */
record Pair(End left, End right) {

    /** Connects two QPs, each in RESET or INIT, by exchange of endpoints, or as {@link Meeting} says. */
    static Pair connect(End left, End right) {
        for (End end : new End[] {left, right}) {
            if (end.qp.state() == QueuePairState.RESET) {
                end.qp.init();
            }
        }
        if (Meeting.connect(left, right)) {
            return new Pair(left, right);
        }
        byte[] endpoint = left.qp.endpoint();
        left.qp.connect(right.qp.endpoint());
        right.qp.connect(endpoint);
        return new Pair(left, right);
    }

    Pair reversed() {
        return new Pair(right, left);
    }

    /** Sends 8 bytes from left to right and checks that they arrive: the pair works. */
    void exercise(long wrId) {
        byte[] data = Pattern.bytes(wrId, 8);
        left.put(0, data);
        right.receive(wrId, 64, 8);
        left.post(SendRequest.send(wrId, left.sge(0, 8)).signalled());
        left.sentOk(wrId, WcOpcode.SEND);
        right.receivedOk(wrId, 8);
        right.assertBytes(data, 64);
    }
}
