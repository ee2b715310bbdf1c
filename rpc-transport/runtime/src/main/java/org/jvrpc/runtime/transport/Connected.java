package org.jvrpc.runtime.transport;

import org.jvrpc.runtime.session.Bodies;
import org.jvrpc.runtime.session.Hello;
import org.jvrpc.runtime.session.Link;

/** A link to a server, the memory of its long bodies, and what the server granted. */
public record Connected(Link link, Bodies bodies, Hello granted) implements AutoCloseable {

    /** Gives it up, where no session came of it. */
    @Override
    public void close() {
        link.disconnect();
        link.close();
        bodies.close();
    }
}
