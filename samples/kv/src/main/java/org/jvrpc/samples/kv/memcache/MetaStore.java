package org.jvrpc.samples.kv.memcache;

import java.nio.ByteBuffer;
import org.jvrpc.samples.kv.store.Item;
import org.jvrpc.samples.kv.store.StoreMode;
import org.jvrpc.samples.kv.store.StoreRequest;
import org.jvrpc.samples.kv.store.StoreResult;

/** The meta command ms. */
final class MetaStore {

    private static final int FIRST_FLAG = 3;
    private static final byte[] BAD_MODE = Ascii.line("CLIENT_ERROR invalid mode for ms M token");
    private static final byte[] HD = Ascii.bytes("HD");
    private static final byte[] NS = Ascii.bytes("NS");
    private static final byte[] EX = Ascii.bytes("EX");
    private static final byte[] NF = Ascii.bytes("NF");
    private static final int LONGEST = Integer.MAX_VALUE - 2;

    private final MetaProtocol meta;
    private final Session session;
    private final Tokens tokens;

    MetaStore(MetaProtocol meta) {
        this.meta = meta;
        session = meta.session;
        tokens = meta.tokens;
    }

    boolean command(ByteBuffer in, int next) {
        if (tokens.count() < 3) {
            return answer(in, next, tokens.count() < 2 ? TextProtocol.ERROR : MetaFlags.BAD_FORMAT);
        }
        // The flags' errors count only when the length is known: with it the value can be left out.
        byte[] refused = meta.check(FIRST_FLAG, MetaProtocol.TOO_MANY);
        boolean early = refused != null && refused != meta.flags.error || tokens.length(1) > 250;
        if (early) {
            return answer(in, next, refused);
        }
        if (!tokens.readSigned32(2) || tokens.number() < 0 || tokens.number() > LONGEST) {
            return answer(in, next, MetaFlags.BAD_FORMAT);
        }
        long length = tokens.number();
        StoreMode mode = refused == null ? mode() : null;
        StoreRequest request = mode == null ? null : meta.keyed();
        if (refused == null) {
            refused = mode == null ? BAD_MODE
                    : request == null || !meta.flags.checkOpaque(FIRST_FLAG) ? meta.flags.error : null;
        }
        if (refused == null && length > Item.MAX_VALUE) {
            session.store.refuse(StoreMode.SET, request, true);
            refused = TextStore.TOO_LARGE;
        }
        return refused == null ? store(in, next, (int) length, mode, request) : swallow(in, next, length, refused);
    }

    private boolean store(ByteBuffer in, int next, int length, StoreMode mode, StoreRequest request) {
        int end = next + length;
        if (in.limit() < end + 2) {
            if (session.takeNoRoom()) {
                session.store.refuse(StoreMode.SET, request, false);
                return swallow(in, next, length, TextStore.OUT_OF_MEMORY);
            }
            return session.await(end + 2 - in.position());
        }
        if (in.get(end) != '\r' || in.get(end + 1) != '\n') {
            return answer(in, end + 2, TextStore.BAD_CHUNK);
        }
        MetaFlags flags = meta.flags;
        request.value(in, next, length).flags(flags.clientFlags).expiry(flags.expiry).version(flags.version)
                .stale(flags.stale).keyBinary(flags.keyBinary);
        StoreResult result = session.store.store(mode, request);
        if (result == StoreResult.TOO_LARGE || result == StoreResult.OUT_OF_MEMORY) {
            return answer(in, end + 2, TextStore.OUT_OF_MEMORY);
        }
        if (result != StoreResult.STORED || !flags.quiet) {
            write(result, request);
        }
        in.position(end + 2);
        return true;
    }

    private StoreMode mode() {
        boolean compares = meta.flags.hasVersion;
        switch (meta.flags.mode) {
            case 0:
            case 'S':
                return compares ? StoreMode.CAS : StoreMode.SET;
            case 'R':
                return compares ? StoreMode.CAS : StoreMode.REPLACE;
            case 'E':
                return StoreMode.ADD;
            case 'A':
                return StoreMode.APPEND;
            case 'P':
                return StoreMode.PREPEND;
            default:
                return null;
        }
    }

    private void write(StoreResult result, StoreRequest request) {
        session.out.bytes(result == StoreResult.STORED ? HD : result == StoreResult.EXISTS ? EX
                : result == StoreResult.NOT_FOUND ? NF : NS);
        for (int i = FIRST_FLAG; i < tokens.count(); i++) {
            int letter = tokens.at(i, 0);
            if (letter == 'O') {
                meta.opaque(i);
            } else if (letter == 'k') {
                meta.requestKey();
            } else if (letter == 'c') {
                meta.space('c');
                session.out.number(result == StoreResult.STORED ? request.resultVersion() : 0);
            }
        }
        session.out.bytes(Ascii.CRLF);
    }

    private boolean answer(ByteBuffer in, int next, byte[] answer) {
        session.out.bytes(answer);
        in.position(next);
        return true;
    }

    private boolean swallow(ByteBuffer in, int next, long length, byte[] answer) {
        session.swallow(length + 2);
        return answer(in, next, answer);
    }
}
