package org.jvrpc.runtime.message;

import org.jvrpc.runtime.MessageHandler;
import org.jvrpc.runtime.session.Hello;
import org.jvrpc.runtime.session.Protocol;
import org.jvrpc.runtime.thread.Environment;

/** Makes servers and clients of message sessions with a clock and threads that a test brings. */
public final class MessageAudit {

    private MessageAudit() {
    }

    /** Makes a server, which is not started. */
    public static MessageServerCore server(Environment environment, MessageServerOptions options) {
        options.environment(environment);
        return new MessageServerCore(options);
    }

    /** Connects. @param window pieces each way */
    public static MessageClientCore connect(Environment environment, String address, MessageHandler handler, int window,
            int pieceBytes, int maxFrameBytes, long timeoutNs) {
        return new MessageClientCore(environment, address, handler,
                Hello.request(Protocol.MESSAGES, window, pieceBytes, maxFrameBytes), timeoutNs);
    }
}
