package org.jvrpc.softrnic.router.wire;

import java.io.IOException;

/** Bytes that are no frame, or a body that is none of its command: whoever sent them is not spoken to any more. */
public final class FrameException extends IOException {

    private static final long serialVersionUID = 1L;

    /** Makes one; the message has the values, never a token. */
    public FrameException(String message) {
        super(message);
    }
}
