package org.jvrpc.mlx5;

import java.nio.ByteBuffer;

/**
 * A SEND of a header and a body that whoever consumes the send ring may execute without it; see
 * {@link org.jvrpc.verbs.PostSend#push}. Made by {@link Doorbell#prepare}; the poster's thread.
 */
public interface Push {

    /**
     * Executes it, on the caller's thread.
     *
     * @param producer blocks posted to the ring, all before this
     * @param first the header's first eight bytes, little-endian
     * @param second its others
     * @param length of the body in bytes; any number, as the caller has not looked at it
     * @return false, with nothing done, when it cannot be now; the ring has it executed then, or told what is wrong
     */
    boolean push(int producer, long first, long second, int length);

    /** As above, of a body whose first {@code head} bytes lie where it says, and the others in any buffer. */
    boolean push(int producer, long first, long second, int head, ByteBuffer rest, int at, int length);
}
