package org.jvrpc.samples.kv.memcache;

import java.nio.ByteBuffer;
import org.jvrpc.samples.kv.store.Item;
import org.jvrpc.samples.kv.store.Keys;
import org.jvrpc.samples.kv.store.StoreMode;
import org.jvrpc.samples.kv.store.StoreRequest;
import org.jvrpc.samples.kv.store.StoreResult;

/** set, add, replace, append, prepend and cas. */
final class TextStore {

    static final byte[] BAD_CHUNK = Ascii.line("CLIENT_ERROR bad data chunk");
    static final byte[] TOO_LARGE = Ascii.line("SERVER_ERROR object too large for cache");
    static final byte[] OUT_OF_MEMORY = Ascii.line("SERVER_ERROR out of memory storing object");

    private static final byte[] STORED = Ascii.line("STORED");
    private static final byte[] NOT_STORED = Ascii.line("NOT_STORED");
    private static final byte[] EXISTS = Ascii.line("EXISTS");
    private static final byte[] NOT_FOUND = Ascii.line("NOT_FOUND");
    private static final byte[] BAD_FORMAT = Ascii.line("CLIENT_ERROR bad command line format");
    private static final int LONGEST = Integer.MAX_VALUE - 2;

    private final Session session;
    private final Tokens tokens;
    private boolean noreply;
    private int flags;
    private long exptime;
    private long length;
    private long version;

    TextStore(Session session, Tokens tokens) {
        this.session = session;
        this.tokens = tokens;
    }

    /** @param next where the value begins @return false when the value is not there yet */
    boolean command(ByteBuffer in, int next, StoreMode mode) {
        int words = mode == StoreMode.CAS ? 6 : 5;
        if (tokens.count() != words && tokens.count() != words + 1) {
            return refuse(in, next, TextProtocol.ERROR);
        }
        noreply = tokens.endsWithNoreply();
        if (!parse(mode)) {
            return noreply ? skip(in, next) : refuse(in, next, BAD_FORMAT);
        }
        StoreRequest request = session.request.key(in, tokens.start(1), tokens.length(1));
        if (length > Item.MAX_VALUE) {
            countSet(in);
            session.store.refuse(mode, request, true);
            return swallow(in, next, TOO_LARGE);
        }
        int end = next + (int) length;
        if (in.limit() < end + 2) {
            if (session.takeNoRoom()) {
                countSet(in);
                session.store.refuse(mode, request, false);
                return swallow(in, next, OUT_OF_MEMORY);
            }
            return session.await(end + 2 - in.position());
        }
        countSet(in);
        in.position(end + 2);
        if (in.get(end) != '\r' || in.get(end + 1) != '\n') {
            answer(BAD_CHUNK);
            return true;
        }
        request.value(in, next, (int) length).flags(flags).expiry(session.store.expiryOf(exptime)).version(version);
        answer(answerOf(session.store.store(mode, request)));
        return true;
    }

    private void countSet(ByteBuffer in) {
        session.status.prefixes.set(in, tokens.start(1), tokens.length(1));
    }

    private boolean parse(StoreMode mode) {
        version = 0;
        if (tokens.length(1) > Keys.MAX_LENGTH || !tokens.readUnsigned32(2)) {
            return false;
        }
        flags = (int) tokens.number();
        if (!tokens.readSigned32(3)) {
            return false;
        }
        exptime = tokens.number();
        if (!tokens.readSigned32(4)) {
            return false;
        }
        length = tokens.number();
        if (mode == StoreMode.CAS) {
            if (!tokens.readUnsigned(5)) {
                return false;
            }
            version = tokens.number();
        }
        return length >= 0 && length <= LONGEST;
    }

    private boolean refuse(ByteBuffer in, int next, byte[] answer) {
        session.out.bytes(answer);
        return skip(in, next);
    }

    private static boolean skip(ByteBuffer in, int next) {
        in.position(next);
        return true;
    }

    private boolean swallow(ByteBuffer in, int next, byte[] answer) {
        answer(answer);
        in.position(next);
        session.swallow(length + 2);
        return true;
    }

    private void answer(byte[] answer) {
        if (!noreply) {
            session.out.bytes(answer);
        }
    }

    private static byte[] answerOf(StoreResult result) {
        switch (result) {
            case STORED:
                return STORED;
            case EXISTS:
                return EXISTS;
            case NOT_FOUND:
                return NOT_FOUND;
            case TOO_LARGE:
                return TOO_LARGE;
            case OUT_OF_MEMORY:
                return OUT_OF_MEMORY;
            default:
                return NOT_STORED;
        }
    }
}
