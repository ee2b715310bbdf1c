package org.jvrpc.benchmarks.soak.role;

import java.nio.ByteBuffer;
import org.jvrpc.benchmarks.soak.audit.Notes;
import org.jvrpc.runtime.MessageHandler;
import org.jvrpc.runtime.MessageSession;

/** The server's side of a session of messages: checks that they come in order, and sends each back. Its poller. */
final class FrameEcho implements MessageHandler {

    private final Notes notes;
    private final Frames frames = new Frames();

    FrameEcho(Notes notes) {
        this.notes = notes;
    }

    @Override
    public void frame(MessageSession session, ByteBuffer frame) {
        String wrong = frames.check(frame);
        if (wrong != null) {
            notes.add("a message that came: session=" + session.id() + ' ' + wrong);
        }
        session.send(frame);
    }
}
