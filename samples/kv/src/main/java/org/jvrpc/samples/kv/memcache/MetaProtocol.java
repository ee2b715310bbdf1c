package org.jvrpc.samples.kv.memcache;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jvrpc.samples.kv.store.ItemView;
import org.jvrpc.samples.kv.store.ItemVisitor;
import org.jvrpc.samples.kv.store.Keys;
import org.jvrpc.samples.kv.store.Numbers;
import org.jvrpc.samples.kv.store.StoreRequest;
import org.jvrpc.samples.kv.store.StoreResult;

/** The meta commands mg, md, ma, me and mn; ms is {@link MetaStore}. */
final class MetaProtocol {

    static final int FIRST_FLAG = 2;
    static final byte[] TOO_MANY = Ascii.line("CLIENT_ERROR options flags too long");

    private static final byte[] TOO_MANY_FOR_GET = Ascii.line("CLIENT_ERROR options flags are too long");
    private static final byte[] INVALID_OR_DUPLICATE = Ascii.line("CLIENT_ERROR invalid or duplicate flag");
    private static final byte[] BAD_MODE = Ascii.line("CLIENT_ERROR invalid mode for ma M token");
    private static final byte[] NON_NUMERIC =
            Ascii.line("CLIENT_ERROR cannot increment or decrement non-numeric value");
    private static final byte[] OUT_OF_MEMORY = Ascii.line("SERVER_ERROR out of memory");
    private static final byte[] NO_MEMORY = Ascii.line("SERVER_ERROR out of memory writing get response");
    private static final byte[] MN = Ascii.line("MN");
    private static final byte[] EN = Ascii.bytes("EN");
    private static final byte[] HD = Ascii.bytes("HD");
    private static final byte[] VA = Ascii.bytes("VA ");
    private static final byte[] NF = Ascii.bytes("NF");
    private static final byte[] EX = Ascii.bytes("EX");
    private static final int MAX_WORDS = 19;
    /** The longest line of an answer, by far. */
    private static final int FRAME = 1024;
    private static final long LOW_HALF = 0xffff_ffffL;

    final Session session;
    final Tokens tokens;
    final MetaFlags flags;
    private final ByteBuffer decoded = ByteBuffer.allocateDirect(256).order(ByteOrder.LITTLE_ENDIAN);
    private final MetaStore store;
    /** Made once: a method reference at each command would be an object at each. */
    private final ItemVisitor found = this::found;
    private final ItemVisitor changed = this::changed;
    private boolean noMemory;

    MetaProtocol(Session session, Tokens tokens) {
        this.session = session;
        this.tokens = tokens;
        flags = new MetaFlags(session.store);
        store = new MetaStore(this);
    }

    /** @param next where the next line begins, or the value @return false when the value is not there yet */
    boolean command(ByteBuffer in, int next) {
        switch (tokens.at(0, 1)) {
            case 's':
                return store.command(in, next);
            case 'g':
                get();
                break;
            case 'd':
                delete();
                break;
            case 'a':
                arithmetic();
                break;
            case 'e':
                debug();
                break;
            case 'n':
                session.out.bytes(MN);
                break;
            default:
                session.out.bytes(TextProtocol.ERROR);
        }
        in.position(next);
        return true;
    }

    /** Looks at the words and reads the flags. @return null when all is well, else what to answer */
    byte[] check(int firstFlag, byte[] tooMany) {
        if (tokens.count() < 2) {
            return TextProtocol.ERROR;
        }
        if (tokens.length(1) > Keys.MAX_LENGTH) {
            return MetaFlags.BAD_FORMAT;
        }
        if (tokens.count() > MAX_WORDS) {
            return tooMany;
        }
        boolean good = flags.parse(tokens, firstFlag);
        return good ? null : flags.error;
    }

    /** Begins a request on the key. @return null when it is no base64 though it should be */
    StoreRequest keyed() {
        if (!flags.keyBinary) {
            return session.request.key(tokens.line(), tokens.start(1), tokens.length(1));
        }
        int length = Base64Key.decode(tokens.line(), tokens.start(1), tokens.length(1), decoded);
        if (length == 0) {
            flags.badKey();
            return null;
        }
        return session.request.key(decoded, 0, length);
    }

    void space(int letter) {
        session.out.put(' ').put(letter);
    }

    /** Writes the key as the request brought it. */
    void requestKey() {
        space('k');
        session.out.bytes(tokens.line(), tokens.start(1), tokens.length(1));
        if (flags.keyBinary) {
            space('b');
        }
    }

    void opaque(int token) {
        session.out.put(' ').bytes(tokens.line(), tokens.start(token), tokens.length(token));
    }

    /** Writes opaque and key, which come back even when there is no item. */
    private void echo() {
        for (int i = FIRST_FLAG; i < tokens.count(); i++) {
            int letter = tokens.at(i, 0);
            if (letter == 'O') {
                opaque(i);
            } else if (letter == 'k') {
                requestKey();
            }
        }
        session.out.bytes(Ascii.CRLF);
    }

    private void get() {
        byte[] refused = check(FIRST_FLAG, TOO_MANY_FOR_GET);
        StoreRequest request = refused == null ? keyed() : null;
        if (request == null || !flags.checkOpaque(FIRST_FLAG)) {
            session.out.bytes(refused == null ? flags.error : refused);
            return;
        }
        request.noUpdate(flags.noUpdate);
        if (flags.newExpiry) {
            request.expiry(flags.expiry);
        }
        if (flags.vivify) {
            request.vivify(0, flags.madeExpiry);
        }
        if (flags.recache) {
            request.recacheBefore(flags.recacheBefore, flags.recacheFirst);
        }
        noMemory = false;
        StoreResult result = session.store.metaGet(request, found);
        if (noMemory) {
            session.out.bytes(NO_MEMORY);
        } else if (result != StoreResult.HIT && !flags.quiet) {
            session.out.bytes(EN);
            echo();
        }
    }

    private void found(ItemView item) {
        Output out = session.out;
        if (!out.ensure(FRAME + item.valueLength())) {
            noMemory = true;
            return;
        }
        if (flags.value) {
            out.bytes(VA).number(item.valueLength());
        } else {
            out.bytes(HD);
        }
        long expiry = session.request.expiryBefore();
        for (int i = FIRST_FLAG; i < tokens.count(); i++) {
            int letter = tokens.at(i, 0);
            if (letter == 'T') {
                expiry = flags.expiry & LOW_HALF;
            } else if (letter == 'N' && session.request.isCreated()) {
                expiry = flags.vivifyExpiry & LOW_HALF;
            } else if (letter == 't') {
                timeToLive(expiry);
            } else {
                returned(i, letter, item);
            }
        }
        if (item.isTokenSent()) {
            space('Z');
        }
        if (item.isStale()) {
            space('X');
        }
        if (item.isTokenWon()) {
            space('W');
        }
        out.bytes(Ascii.CRLF);
        if (flags.value) {
            out.value(item).bytes(Ascii.CRLF);
        }
    }

    private void timeToLive(long expiry) {
        space('t');
        if (expiry == 0) {
            session.out.put('-').put('1');
        } else {
            session.out.number(expiry - session.store.clock().seconds() & LOW_HALF);
        }
    }

    private void returned(int token, int letter, ItemView item) {
        Output out = session.out;
        switch (letter) {
            case 's':
                space('s');
                out.number(item.valueLength());
                break;
            case 'c':
                space('c');
                out.number(item.version());
                break;
            case 'f':
                space('f');
                out.number(Integer.toUnsignedLong(item.flags()));
                break;
            case 'l':
                space('l');
                out.number(Math.max(0, session.store.clock().seconds() - item.accessed()));
                break;
            case 'h':
                space('h');
                out.put(item.isFetched() ? '1' : '0');
                break;
            case 'O':
                opaque(token);
                break;
            case 'k':
                itemKey(item);
                break;
            default:
        }
    }

    private void itemKey(ItemView item) {
        space('k');
        encodedKey(item);
        if (item.isKeyBinary()) {
            space('b');
        }
    }

    private void encodedKey(ItemView item) {
        if (item.isKeyBinary()) {
            item.copyKey(decoded, 0);
            Base64Key.encode(decoded, 0, item.keyLength(), session.out);
        } else {
            session.out.key(item);
        }
    }

    private void delete() {
        byte[] refused = check(FIRST_FLAG, TOO_MANY);
        StoreRequest request = refused == null ? keyed() : null;
        if (request == null) {
            session.out.bytes(tooLate(refused) ? INVALID_OR_DUPLICATE : refused);
            return;
        }
        if (!flags.checkOpaque(FIRST_FLAG)) {
            session.out.bytes(flags.error);
            return;
        }
        // No item has the version -1: a demand for version 0 cannot be met.
        request.stale(flags.stale).version(flags.hasVersion && flags.version == 0 ? -1 : flags.version);
        if (flags.newExpiry) {
            request.expiry(flags.expiry);
        }
        StoreResult result = session.store.delete(request);
        if (result == StoreResult.OUT_OF_MEMORY) {
            session.out.bytes(OUT_OF_MEMORY);
        } else if (result != StoreResult.DELETED || !flags.quiet) {
            session.out.bytes(result == StoreResult.DELETED ? HD : result == StoreResult.EXISTS ? EX : NF);
            echo();
        }
    }

    /** Returns true for errors in the flags: md and ma do not tell which. */
    private boolean tooLate(byte[] refused) {
        return refused == null || refused == flags.error && tokens.length(1) <= Keys.MAX_LENGTH;
    }

    private void arithmetic() {
        byte[] refused = check(FIRST_FLAG, TOO_MANY);
        StoreRequest request = refused == null ? keyed() : null;
        if (request == null) {
            session.out.bytes(tooLate(refused) ? INVALID_OR_DUPLICATE : refused);
            return;
        }
        boolean downwards = flags.mode == 'D' || flags.mode == '-';
        if (!downwards && flags.mode != 0 && flags.mode != 'I' && flags.mode != '+') {
            session.out.bytes(BAD_MODE);
            return;
        }
        if (!flags.checkOpaque(FIRST_FLAG)) {
            session.out.bytes(flags.error);
            return;
        }
        request.delta(flags.delta, downwards).version(flags.version);
        if (flags.vivify) {
            request.vivify(flags.initial, flags.madeExpiry);
        }
        if (flags.newExpiry) {
            request.expiry(flags.expiry);
        }
        int mark = session.out.mark();
        StoreResult result = session.store.arithmetic(request, changed);
        switch (result) {
            case STORED:
                if (flags.quiet && !request.isCreated()) {
                    session.out.reset(mark);
                }
                break;
            case NON_NUMERIC:
                session.out.bytes(NON_NUMERIC);
                break;
            case OUT_OF_MEMORY:
                session.out.bytes(OUT_OF_MEMORY);
                break;
            default:
                session.out.bytes(result == StoreResult.EXISTS ? EX : NF);
                echo();
        }
    }

    private void changed(ItemView item) {
        Output out = session.out;
        long number = session.request.resultNumber();
        if (flags.value) {
            out.bytes(VA).number(Numbers.digits(number));
        } else {
            out.bytes(HD);
        }
        long expiry = session.request.expiryBefore();
        for (int i = FIRST_FLAG; i < tokens.count(); i++) {
            int letter = tokens.at(i, 0);
            if (letter == 'T') {
                expiry = flags.expiry & LOW_HALF;
            } else if (letter == 'N' && session.request.isCreated()) {
                expiry = flags.vivifyExpiry & LOW_HALF;
            } else if (letter == 't') {
                timeToLive(expiry);
            } else if (letter == 'c' || letter == 'O') {
                returned(i, letter, item);
            } else if (letter == 'k') {
                requestKey();
            }
        }
        out.bytes(Ascii.CRLF);
        if (flags.value) {
            out.number(number).bytes(Ascii.CRLF);
        }
    }

    private void debug() {
        if (tokens.count() < 2 || tokens.length(1) > Keys.MAX_LENGTH) {
            session.out.bytes(MetaFlags.BAD_FORMAT);
            return;
        }
        flags.parse(tokens, tokens.count());
        flags.keyBinary = tokens.count() >= 3 && tokens.length(2) == 1 && tokens.at(2, 0) == 'b';
        StoreRequest request = keyed();
        if (request == null) {
            session.out.bytes(MetaFlags.BAD_FORMAT);
        } else if (session.store.metaGet(request.noUpdate(true).uncounted(true), this::described)
                != StoreResult.HIT) {
            session.out.bytes(EN).bytes(Ascii.CRLF);
        }
    }

    private void described(ItemView item) {
        long now = session.store.clock().seconds();
        session.out.bytes(Ascii.bytes("ME "));
        encodedKey(item);
        session.out.bytes(Ascii.line(String.format(java.util.Locale.ROOT,
                " exp=%d la=%d cas=%s fetch=%s cls=%d size=%d",
                item.expiry() == 0 ? -1 : now - item.expiry(), Math.max(0, now - item.accessed()),
                Long.toUnsignedString(item.version()), item.isFetched() ? "yes" : "no", item.sizeClass(),
                item.length())));
    }
}
