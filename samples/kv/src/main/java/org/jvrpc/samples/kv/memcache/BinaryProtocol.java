package org.jvrpc.samples.kv.memcache;

import java.nio.ByteBuffer;
import org.jvrpc.samples.kv.store.Item;
import org.jvrpc.samples.kv.store.ItemView;
import org.jvrpc.samples.kv.store.ItemVisitor;
import org.jvrpc.samples.kv.store.Keys;
import org.jvrpc.samples.kv.store.StoreMode;
import org.jvrpc.samples.kv.store.StoreRequest;
import org.jvrpc.samples.kv.store.StoreResult;

/** The binary protocol. SASL is refused, as by a memcached that does not ask for it. */
final class BinaryProtocol implements ItemVisitor {

    private static final byte[] VERSION = Ascii.bytes(ServerStatus.VERSION);
    private static final byte[] NO_MEMORY_TO_STORE = Ascii.bytes("Out of memory allocating item");
    private static final byte[] DETAILED = Ascii.bytes("detailed");
    private static final int NEVER = -1;
    private static final int FLAGS = 4;

    private final Session session;
    private final Output out;
    private int sentOpcode;
    private int opcode;
    private int keyAt;
    private int keyLength;
    private int extras;
    private long body;
    private int opaque;
    private long cas;
    private boolean quiet;
    private boolean noMemory;

    BinaryProtocol(Session session) {
        this.session = session;
        out = session.out;
    }

    /** Carries out one command. @return false when more input is needed or the session ends */
    boolean step(ByteBuffer in) {
        int at = in.position();
        if (in.remaining() < BinaryHeader.BYTES) {
            return session.await(BinaryHeader.BYTES);
        }
        if (BinaryHeader.magic(in, at) != BinaryHeader.REQUEST) {
            session.close();
            return false;
        }
        extras = BinaryHeader.extrasLength(in, at);
        keyLength = BinaryHeader.keyLength(in, at);
        int head = BinaryHeader.BYTES + extras + keyLength;
        if (in.remaining() < head) {
            if (session.takeNoRoom()) {
                session.close();
                return false;
            }
            return session.await(head);
        }
        sentOpcode = BinaryHeader.opcode(in, at);
        opcode = BinaryOpcode.loud(sentOpcode);
        quiet = opcode != sentOpcode;
        keyAt = at + BinaryHeader.BYTES + extras;
        body = BinaryHeader.bodyLength(in, at);
        opaque = BinaryHeader.opaque(in, at);
        cas = BinaryHeader.cas(in, at);
        if (extras + keyLength > body) {
            error(BinaryStatus.UNKNOWN_COMMAND);
            session.close();
            return false;
        }
        if (keyLength > Keys.MAX_LENGTH) {
            return invalid();
        }
        return dispatch(in, at + head);
    }

    /** The command has a form that it must not have: the peer is told and left. */
    private boolean invalid() {
        error(BinaryStatus.INVALID);
        session.close();
        return false;
    }

    /** @param next where the value begins, or the next command */
    private boolean dispatch(ByteBuffer in, int next) {
        boolean bare = body == 0;
        boolean keyOnly = extras == 0 && keyLength > 0 && body == keyLength;
        switch (opcode) {
            case BinaryOpcode.GET:
            case BinaryOpcode.GETK:
                return keyOnly ? get(in, next) : invalid();
            case BinaryOpcode.SET:
            case BinaryOpcode.ADD:
            case BinaryOpcode.REPLACE:
                return extras == 8 && keyLength != 0 ? store(in, next) : invalid();
            case BinaryOpcode.APPEND:
            case BinaryOpcode.PREPEND:
                return extras == 0 && keyLength != 0 ? store(in, next) : invalid();
            case BinaryOpcode.DELETE:
                return keyOnly ? delete(in, next) : invalid();
            case BinaryOpcode.INCREMENT:
            case BinaryOpcode.DECREMENT:
                return extras == 20 && keyLength > 0 && body == keyLength + extras ? arithmetic(in, next) : invalid();
            case BinaryOpcode.TOUCH:
            case BinaryOpcode.GAT:
            case BinaryOpcode.GATK:
                return extras == 4 && keyLength != 0 && body == keyLength + extras ? touch(in, next) : invalid();
            case BinaryOpcode.FLUSH:
                return keyLength == 0 && body == extras && (extras == 0 || extras == 4) ? flush(in, next) : invalid();
            case BinaryOpcode.VERBOSITY:
                return extras == 4 && keyLength == 0 && body == extras ? verbosity(in, next) : invalid();
            case BinaryOpcode.STAT:
                return extras == 0 && body == keyLength ? stat(in, next) : invalid();
            case BinaryOpcode.NOOP:
            case BinaryOpcode.VERSION:
            case BinaryOpcode.QUIT:
                return bare ? simple(in, next) : invalid();
            case BinaryOpcode.SASL_LIST:
                return bare ? unknown(in, next) : invalid();
            case BinaryOpcode.SASL_AUTH:
            case BinaryOpcode.SASL_STEP:
                return extras == 0 && keyLength != 0 ? unknown(in, next) : invalid();
            default:
                return unknown(in, next);
        }
    }

    private static boolean done(ByteBuffer in, int next) {
        in.position(next);
        return true;
    }

    private boolean unknown(ByteBuffer in, int next) {
        error(BinaryStatus.UNKNOWN_COMMAND);
        session.swallow(body - keyLength - extras);
        return done(in, next);
    }

    private void error(BinaryStatus status) {
        error(status, status.text);
    }

    private void error(BinaryStatus status, byte[] text) {
        BinaryHeader.response(out, sentOpcode, status.code, 0, 0, text.length, opaque, 0);
        out.bytes(text);
    }

    /** Answers that all went well, unless the command is a quiet one. */
    private void good(long version) {
        if (!quiet) {
            BinaryHeader.response(out, sentOpcode, 0, 0, 0, 0, opaque, version);
        }
    }

    private boolean simple(ByteBuffer in, int next) {
        if (opcode == BinaryOpcode.VERSION) {
            BinaryHeader.response(out, sentOpcode, 0, 0, 0, VERSION.length, opaque, 0);
            out.bytes(VERSION);
        } else {
            good(0);
        }
        if (opcode == BinaryOpcode.QUIT) {
            session.close();
        }
        return done(in, next);
    }

    private boolean flush(ByteBuffer in, int next) {
        session.store.flushAll(extras == 0 ? 0 : Integer.toUnsignedLong(BinaryHeader.int32(in, keyAt - extras)));
        good(0);
        return done(in, next);
    }

    private boolean verbosity(ByteBuffer in, int next) {
        session.status.verbosity = BinaryHeader.int32(in, next - extras);
        good(0);
        return done(in, next);
    }

    private StoreRequest keyed(ByteBuffer in) {
        return session.request.key(in, keyAt, keyLength);
    }

    private boolean get(ByteBuffer in, int next) {
        noMemory = false;
        found(in, session.store.get(keyed(in), this));
        return done(in, next);
    }

    private boolean touch(ByteBuffer in, int next) {
        long exptime = Integer.toUnsignedLong(BinaryHeader.int32(in, keyAt - extras));
        noMemory = false;
        found(in, session.store.touch(keyed(in).expiry(session.store.expiryOf(exptime)), this));
        return done(in, next);
    }

    private void found(ByteBuffer in, StoreResult result) {
        session.status.prefixes.get(in, keyAt, keyLength, result == StoreResult.HIT);
        boolean key = opcode == BinaryOpcode.GETK || opcode == BinaryOpcode.GATK;
        if (noMemory || result == StoreResult.OUT_OF_MEMORY) {
            error(BinaryStatus.OUT_OF_MEMORY);
        } else if (result == StoreResult.NOT_FOUND && !quiet) {
            if (key) {
                BinaryHeader.response(
                        out, sentOpcode, BinaryStatus.NOT_FOUND.code, 0, keyLength, keyLength, opaque, 0);
                out.bytes(in, keyAt, keyLength);
            } else {
                error(BinaryStatus.NOT_FOUND);
            }
        }
    }

    @Override
    public void visit(ItemView item) {
        boolean value = opcode != BinaryOpcode.TOUCH;
        int valueLength = value ? item.valueLength() : 0;
        int key = opcode == BinaryOpcode.GETK || opcode == BinaryOpcode.GATK ? keyLength : 0;
        if (!out.ensure(BinaryHeader.BYTES + FLAGS + key + valueLength)) {
            noMemory = true;
            return;
        }
        BinaryHeader.response(
                out, sentOpcode, 0, FLAGS, key, FLAGS + key + valueLength, opaque, item.version());
        out.int32(item.flags());
        if (key > 0) {
            out.key(item);
        }
        if (value) {
            out.value(item);
        }
    }

    private boolean delete(ByteBuffer in, int next) {
        session.status.prefixes.delete(in, keyAt, keyLength);
        StoreResult result = session.store.delete(keyed(in).version(cas));
        if (result == StoreResult.DELETED) {
            good(0);
        } else {
            error(result == StoreResult.EXISTS ? BinaryStatus.EXISTS : BinaryStatus.NOT_FOUND);
        }
        return done(in, next);
    }

    private boolean arithmetic(ByteBuffer in, int next) {
        int at = keyAt - extras;
        int exptime = BinaryHeader.int32(in, at + 16);
        StoreRequest request = keyed(in).version(cas)
                .delta(BinaryHeader.int64(in, at), opcode == BinaryOpcode.DECREMENT);
        if (exptime != NEVER) {
            request.vivify(BinaryHeader.int64(in, at + 8),
                    session.store.expiryOf(Integer.toUnsignedLong(exptime)));
        }
        StoreResult result = session.store.arithmetic(request, null);
        switch (result) {
            case STORED:
                if (!quiet) {
                    BinaryHeader.response(out, sentOpcode, 0, 0, 0, Long.BYTES, opaque, request.resultVersion());
                    out.int64(request.resultNumber());
                }
                break;
            case NOT_FOUND:
                error(BinaryStatus.NOT_FOUND);
                break;
            case EXISTS:
                error(BinaryStatus.EXISTS);
                break;
            case NON_NUMERIC:
                error(BinaryStatus.NON_NUMERIC);
                break;
            default:
                error(BinaryStatus.OUT_OF_MEMORY);
        }
        return done(in, next);
    }

    private boolean store(ByteBuffer in, int next) {
        StoreMode mode = mode();
        long length = body - keyLength - extras;
        StoreRequest request = keyed(in);
        if (length > Item.MAX_VALUE) {
            session.store.refuse(mode, request, true);
            error(BinaryStatus.TOO_LARGE);
            session.swallow(length);
            return done(in, next);
        }
        int end = next + (int) length;
        if (in.limit() < end) {
            if (!session.takeNoRoom()) {
                return session.await(end - in.position());
            }
            session.store.refuse(mode, request, false);
            error(BinaryStatus.OUT_OF_MEMORY, NO_MEMORY_TO_STORE);
            session.swallow(length);
            return done(in, next);
        }
        session.status.prefixes.set(in, keyAt, keyLength);
        request.value(in, next, (int) length).version(cas);
        if (extras > 0) {
            long exptime = Integer.toUnsignedLong(BinaryHeader.int32(in, keyAt - extras + 4));
            request.flags(BinaryHeader.int32(in, keyAt - extras)).expiry(session.store.expiryOf(exptime));
        }
        stored(mode, session.store.store(mode, request));
        return done(in, end);
    }

    private StoreMode mode() {
        switch (opcode) {
            case BinaryOpcode.APPEND:
                return StoreMode.APPEND;
            case BinaryOpcode.PREPEND:
                return StoreMode.PREPEND;
            case BinaryOpcode.ADD:
                return cas != 0 ? StoreMode.CAS : StoreMode.ADD;
            case BinaryOpcode.REPLACE:
                return cas != 0 ? StoreMode.CAS : StoreMode.REPLACE;
            default:
                return cas != 0 ? StoreMode.CAS : StoreMode.SET;
        }
    }

    private void stored(StoreMode mode, StoreResult result) {
        switch (result) {
            case STORED:
                good(session.request.resultVersion());
                break;
            case EXISTS:
                error(BinaryStatus.EXISTS);
                break;
            case NOT_FOUND:
                error(BinaryStatus.NOT_FOUND);
                break;
            case OUT_OF_MEMORY:
                error(BinaryStatus.OUT_OF_MEMORY, NO_MEMORY_TO_STORE);
                break;
            default:
                error(mode == StoreMode.ADD ? BinaryStatus.EXISTS
                        : mode == StoreMode.REPLACE ? BinaryStatus.NOT_FOUND : BinaryStatus.NOT_STORED);
        }
    }

    private boolean stat(ByteBuffer in, int next) {
        byte[] name = new byte[keyLength];
        in.get(keyAt, name);
        String group = Ascii.string(name);
        Statistics statistics = new Statistics(session.store, session.status);
        boolean known = true;
        if (group.startsWith("reset")) {
            statistics.reset();
        } else if (group.startsWith("detail")) {
            known = detail(group);
        } else {
            known = statistics.write(group.startsWith("settings") ? "settings" : group, this::stat);
        }
        if (known) {
            BinaryHeader.response(out, sentOpcode, 0, 0, 0, 0, opaque, 0);
        } else {
            error(BinaryStatus.NOT_FOUND);
        }
        return done(in, next);
    }

    /** @return false for what memcached does not know */
    private boolean detail(String group) {
        PrefixStatistics prefixes = session.status.prefixes;
        if (group.startsWith("detail dump")) {
            byte[] lines = prefixes.dump();
            if (!out.ensure(2 * BinaryHeader.BYTES + DETAILED.length + lines.length)) {
                error(BinaryStatus.OUT_OF_MEMORY);
                return true;
            }
            BinaryHeader.response(
                    out, sentOpcode, 0, 0, DETAILED.length, DETAILED.length + lines.length, opaque, 0);
            out.bytes(DETAILED).bytes(lines);
            return true;
        }
        boolean on = group.startsWith("detail on");
        if (on || group.startsWith("detail off")) {
            prefixes.turn(on);
            return true;
        }
        return false;
    }

    private void stat(String name, String value) {
        BinaryHeader.response(
                out, sentOpcode, 0, 0, name.length(), name.length() + value.length(), opaque, 0);
        out.bytes(Ascii.bytes(name)).bytes(Ascii.bytes(value));
    }
}
