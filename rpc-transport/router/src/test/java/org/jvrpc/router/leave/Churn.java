package org.jvrpc.router.leave;

import org.jvrpc.testing.Parent;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.QueuePairAttributes;

/** Makes things of a device and ends them, so that there is always a command under way. */
final class Churn {

    private Churn() {
    }

    /** Goes on until it is killed. Argument: the device's address. */
    public static void main(String[] args) {
        Device device = Devices.open(args[0]);
        round(device, 0);
        Parent.say("BUSY");
        for (int i = 1; true; i++) {
            round(device, i);
        }
    }

    /** Makes a domain with a QP, and memory of another length each time; leaves every eighth. */
    static void round(Device device, int i) {
        ProtectionDomain pd = device.allocatePd();
        CompletionQueue cq = device.createCq(CompletionQueueAttributes.ofDepth(16));
        QueuePair qp = pd.createQp(new QueuePairAttributes(cq, cq).depth(4, 4));
        MemoryRegion mr = pd.allocate(1000 + i % 7 * 100_000L, Access.LOCAL_WRITE | Access.REMOTE_READ);
        qp.init();
        if (i % 8 != 7) {
            mr.close();
            qp.close();
            cq.close();
            pd.close();
        }
    }
}
