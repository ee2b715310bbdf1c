package org.jvrpc.softrnic.datagram;

import java.nio.ByteBuffer;
import org.jvrpc.softrnic.queue.GatherList;
import org.jvrpc.verbs.WcStatus;

/** Where the datagrams of one QP leave. The QP's posting thread. */
public interface DatagramOutlet {

    /**
     * Sends a message to where an address vector says. It may be lost, which is no failure.
     *
     * @param vector where in {@code memory} the vector lies, see {@link org.jvrpc.mlx5.AddressVector}
     * @param immediate without meaning where there is none
     */
    WcStatus send(ByteBuffer memory, int vector, GatherList message, boolean hasImmediate, int immediate,
            boolean solicited);
}
