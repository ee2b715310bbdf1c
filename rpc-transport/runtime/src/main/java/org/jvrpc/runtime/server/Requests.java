package org.jvrpc.runtime.server;

import java.nio.ByteBuffer;
import org.jvrpc.runtime.session.Parts;
import org.jvrpc.runtime.session.RpcHeader;
import org.jvrpc.verbs.rare.Rare;

/** Requests that came several in a message, see {@link RpcHeader#MORE}, one by one. Poller thread. */
final class Requests {

    private final ServerSession session;
    private final Answers answers;
    private final Parts parts = new Parts();

    Requests(ServerSession session, Answers answers) {
        this.session = session;
        this.answers = answers;
    }

    /** Has the session handle them; returns how many. What follows one that makes no sense is not looked at. */
    int take(long first, long second, ByteBuffer in, int at, int length) {
        parts.begin(first, second, in, at, length);
        int count = 1;
        for (; parts.isFollowed(); count++) {
            if (!check()) {
                break;
            }
            answers.followed(true);
            request(in);
            if (session.isOver()) {
                break;
            }
            parts.next();
        }
        answers.followed(false);
        if (!parts.isFollowed() && check()) {
            request(in);
        }
        return count;
    }

    private boolean check() {
        if (parts.isOneOfSeveral(RpcHeader.REQUEST)) {
            return true;
        }
        Rare.reached("a request among others that cannot be one");
        session.breakOff("among requests in a message: " + parts.describe());
        return false;
    }

    private void request(ByteBuffer in) {
        answers.next(true);
        session.request(parts.first(), parts.second(), in, parts.body() - RpcHeader.BYTES,
                RpcHeader.BYTES + parts.length());
    }
}
