package org.jvrpc.softrnic.memory;

import java.nio.ByteBuffer;
import org.jvrpc.verbs.VerbsException;

/** The memory of one device that peers can reach. Any thread. */
public interface AddressSpace {

    /**
     * Returns the slab that holds {@code bytes} from an address on, or null when there is none such: the address may
     * come from the wire and be anything.
     */
    Slab find(long address, long bytes);

    /** Returns where it lies, for messages. */
    String place();

    /** As {@link #find}, for what must be there. */
    default Slab require(long address, long bytes, String what) {
        Slab slab = find(address, bytes);
        if (slab == null) {
            throw new VerbsException("modify_qp", "peer's " + what + " cannot be reached: folder=" + place()
                    + " address=0x" + Long.toHexString(address) + " bytes=" + bytes);
        }
        return slab;
    }

    /** Returns the window that holds the whole of what must be there. */
    default ByteBuffer window(long address, long bytes, String what) {
        Slab slab = require(address, bytes, what);
        if (bytes > Slab.untilWindowEnd(address)) {
            throw new VerbsException("modify_qp", what + " crosses a window: address=0x" + Long.toHexString(address));
        }
        return slab.window(address);
    }

    /** Lets go of mappings that are its own. */
    void close();
}
