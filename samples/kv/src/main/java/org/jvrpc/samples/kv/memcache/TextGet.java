package org.jvrpc.samples.kv.memcache;

import java.nio.ByteBuffer;
import org.jvrpc.samples.kv.store.ItemView;
import org.jvrpc.samples.kv.store.ItemVisitor;
import org.jvrpc.samples.kv.store.Keys;
import org.jvrpc.samples.kv.store.StoreResult;

/**
 * get, gets, gat and gats. Key by key, so that the answers of a long line are sent in between. The keys that are left
 * stay in the input buffer.
 */
final class TextGet implements ItemVisitor {

    private static final byte[] VALUE = Ascii.bytes("VALUE ");
    private static final byte[] END = Ascii.line("END");
    private static final byte[] BAD_FORMAT = Ascii.line("CLIENT_ERROR bad command line format");
    private static final byte[] BAD_EXPTIME = Ascii.line("CLIENT_ERROR invalid exptime argument");
    private static final byte[] NO_MEMORY = Ascii.line("SERVER_ERROR out of memory writing get response");
    /** "VALUE ", key, flags, length, version and the line ends. */
    private static final int FRAME = 6 + Keys.MAX_LENGTH + 11 + 8 + 21 + 4;

    private static final ItemVisitor NOBODY = item -> { };

    private final Session session;
    private final Tokens tokens;
    private boolean underWay;
    private boolean versions;
    private boolean touches;
    private int expiry;
    private int keysLeft;
    private int lineLeft;
    private boolean noMemory;

    TextGet(Session session, Tokens tokens) {
        this.session = session;
        this.tokens = tokens;
    }

    boolean isUnderWay() {
        return underWay;
    }

    /** @param to where the line's text ends, @param next where the next line begins */
    void begin(ByteBuffer in, int to, int next, boolean withVersions, boolean withTouch) {
        versions = withVersions;
        touches = withTouch;
        if (tokens.count() < 2) {
            refuse(in, next, TextProtocol.ERROR);
            return;
        }
        if (withTouch) {
            if (!tokens.readSigned32(1)) {
                refuse(in, next, BAD_EXPTIME);
                return;
            }
            expiry = session.store.expiryOf(tokens.number());
        }
        int first = tokens.end(withTouch ? 1 : 0);
        int end = keysEnd(in, first, to);
        if (end < 0) {
            readInVain(in, first);
            refuse(in, next, BAD_FORMAT);
            return;
        }
        underWay = true;
        keysLeft = end - first;
        lineLeft = next - first;
        in.position(first);
    }

    private void refuse(ByteBuffer in, int next, byte[] answer) {
        session.out.bytes(answer);
        in.position(next);
    }

    /** Returns where the keys end, or -1 when one of them is too long. */
    private static int keysEnd(ByteBuffer in, int from, int to) {
        int begin = from;
        for (int at = from; at < to; at++) {
            byte b = in.get(at);
            if (b == 0) {
                return at;
            }
            if (b == ' ') {
                begin = at + 1;
            } else if (at - begin >= Keys.MAX_LENGTH) {
                return -1;
            }
        }
        return to;
    }

    /**
     * Does to the keys before the one that is too long what the command does to keys: as memcached, without answers.
     */
    private void readInVain(ByteBuffer in, int first) {
        int at = first;
        while (true) {
            while (in.get(at) == ' ') {
                at++;
            }
            int begin = at;
            while (at - begin <= Keys.MAX_LENGTH && in.get(at) != ' ') {
                at++;
            }
            if (at - begin > Keys.MAX_LENGTH) {
                return;
            }
            session.request.key(in, begin, at - begin);
            if (touches) {
                session.store.touch(session.request.expiry(expiry), null);
            } else {
                session.store.get(session.request, NOBODY);
            }
        }
    }

    void next(ByteBuffer in) {
        int at = in.position();
        int end = at + keysLeft;
        int next = at + lineLeft;
        while (at < end && in.get(at) == ' ') {
            at++;
        }
        int begin = at;
        while (at < end && in.get(at) != ' ') {
            at++;
        }
        if (at == begin) {
            finish(in, next, END);
            return;
        }
        session.request.key(in, begin, at - begin);
        noMemory = false;
        StoreResult result = touches ? session.store.touch(session.request.expiry(expiry), this)
                : session.store.get(session.request, this);
        session.status.prefixes.get(in, begin, at - begin, result == StoreResult.HIT);
        if (noMemory) {
            finish(in, next, NO_MEMORY);
            return;
        }
        if (at == end) {
            finish(in, next, END);
            return;
        }
        keysLeft = end - at;
        lineLeft = next - at;
        in.position(at);
    }

    private void finish(ByteBuffer in, int next, byte[] answer) {
        underWay = false;
        session.out.bytes(answer);
        in.position(next);
    }

    @Override
    public void visit(ItemView item) {
        Output out = session.out;
        if (!out.ensure(FRAME + item.valueLength() + END.length)) {
            noMemory = true;
            return;
        }
        out.bytes(VALUE).key(item).put(' ').number(Integer.toUnsignedLong(item.flags())).put(' ')
                .number(item.valueLength());
        if (versions) {
            out.put(' ').number(item.version());
        }
        out.bytes(Ascii.CRLF).value(item).bytes(Ascii.CRLF);
    }
}
