package org.jvrpc.samples.kv.memcache;

import org.jvrpc.samples.kv.store.Keys;
import org.jvrpc.samples.kv.store.StoreRequest;
import org.jvrpc.samples.kv.store.StoreResult;

/** The text commands that are no more than a line. */
final class TextCommands {

    private static final long INCR = Ascii.word("incr");
    private static final long DECR = Ascii.word("decr");
    private static final long DELETE = Ascii.word("delete");
    private static final long TOUCH = Ascii.word("touch");
    private static final long VERSION = Ascii.word("version");
    private static final long STATS = Ascii.word("stats");
    private static final long QUIT = Ascii.word("quit");
    private static final long SHUTDOWN = Ascii.word("shutdown");
    private static final byte[] FLUSH_ALL = Ascii.bytes("flush_all");
    private static final byte[] VERBOSITY = Ascii.bytes("verbosity");
    private static final byte[] ZERO = Ascii.bytes("0");

    private static final byte[] OK = Ascii.line("OK");
    private static final byte[] TOUCHED = Ascii.line("TOUCHED");
    private static final byte[] DELETED = Ascii.line("DELETED");
    private static final byte[] NOT_FOUND = Ascii.line("NOT_FOUND");
    private static final byte[] VERSION_IS = Ascii.line("VERSION " + ServerStatus.VERSION);
    private static final byte[] NO_SHUTDOWN = Ascii.line("ERROR: shutdown not enabled");
    private static final byte[] BAD_FORMAT = Ascii.line("CLIENT_ERROR bad command line format");
    private static final byte[] BAD_DELETE =
            Ascii.line("CLIENT_ERROR bad command line format.  Usage: delete <key> [noreply]");
    private static final byte[] BAD_EXPTIME = Ascii.line("CLIENT_ERROR invalid exptime argument");
    private static final byte[] BAD_DELTA = Ascii.line("CLIENT_ERROR invalid numeric delta argument");
    private static final byte[] NON_NUMERIC =
            Ascii.line("CLIENT_ERROR cannot increment or decrement non-numeric value");
    private static final byte[] OUT_OF_MEMORY = Ascii.line("SERVER_ERROR out of memory");
    private static final int MAX_VERBOSITY = 10;

    private final Session session;
    private final Tokens tokens;
    private boolean noreply;

    TextCommands(Session session, Tokens tokens) {
        this.session = session;
        this.tokens = tokens;
    }

    /** @return false for a command that there is not */
    boolean command() {
        long word = tokens.word(0);
        noreply = false;
        if (word == INCR || word == DECR) {
            arithmetic(word == DECR);
        } else if (word == DELETE) {
            delete();
        } else if (word == TOUCH) {
            touch();
        } else if (word == VERSION) {
            session.out.bytes(VERSION_IS);
        } else if (word == STATS) {
            stats();
        } else if (word == QUIT) {
            session.close();
        } else if (word == SHUTDOWN) {
            session.out.bytes(NO_SHUTDOWN);
        } else if (tokens.is(0, FLUSH_ALL)) {
            flushAll();
        } else if (tokens.is(0, VERBOSITY)) {
            verbosity();
        } else {
            return false;
        }
        return true;
    }

    private void answer(byte[] answer) {
        if (!noreply) {
            session.out.bytes(answer);
        }
    }

    /** Looks at the number of words and for "noreply". @return false when it was answered */
    private boolean begin(int words) {
        if (tokens.count() != words && tokens.count() != words + 1) {
            session.out.bytes(TextProtocol.ERROR);
            return false;
        }
        noreply = tokens.endsWithNoreply();
        return true;
    }

    private StoreRequest keyed() {
        if (tokens.length(1) > Keys.MAX_LENGTH) {
            answer(BAD_FORMAT);
            return null;
        }
        return session.request.key(tokens.line(), tokens.start(1), tokens.length(1));
    }

    private void arithmetic(boolean downwards) {
        StoreRequest request = begin(3) ? keyed() : null;
        if (request == null) {
            return;
        }
        if (!tokens.readUnsigned(2)) {
            answer(BAD_DELTA);
            return;
        }
        StoreResult result = session.store.arithmetic(request.delta(tokens.number(), downwards), null);
        if (result == StoreResult.STORED) {
            if (!noreply) {
                session.out.number(request.resultNumber()).bytes(Ascii.CRLF);
            }
        } else {
            answer(result == StoreResult.NOT_FOUND ? NOT_FOUND
                    : result == StoreResult.NON_NUMERIC ? NON_NUMERIC : OUT_OF_MEMORY);
        }
    }

    private void delete() {
        int count = tokens.count();
        if (count < 2 || count > 4) {
            session.out.bytes(TextProtocol.ERROR);
            return;
        }
        if (count > 2) {
            boolean zero = tokens.is(2, ZERO);
            noreply = tokens.endsWithNoreply();
            if (!(count == 3 && (zero || noreply) || count == 4 && zero && noreply)) {
                answer(BAD_DELETE);
                return;
            }
        }
        StoreRequest request = keyed();
        if (request != null) {
            session.status.prefixes.delete(tokens.line(), tokens.start(1), tokens.length(1));
            answer(session.store.delete(request) == StoreResult.DELETED ? DELETED : NOT_FOUND);
        }
    }

    private void touch() {
        StoreRequest request = begin(3) ? keyed() : null;
        if (request == null) {
            return;
        }
        if (!tokens.readSigned32(2)) {
            answer(BAD_EXPTIME);
            return;
        }
        StoreResult result = session.store.touch(request.expiry(session.store.expiryOf(tokens.number())), null);
        answer(result == StoreResult.HIT ? TOUCHED : result == StoreResult.NOT_FOUND ? NOT_FOUND : OUT_OF_MEMORY);
    }

    private void flushAll() {
        if (tokens.count() > 3) {
            session.out.bytes(TextProtocol.ERROR);
            return;
        }
        noreply = tokens.endsWithNoreply();
        long delay = 0;
        if (tokens.count() != (noreply ? 2 : 1)) {
            if (!tokens.readSigned32(1)) {
                answer(BAD_EXPTIME);
                return;
            }
            delay = tokens.number();
        }
        session.store.flushAll(delay);
        answer(OK);
    }

    private void verbosity() {
        if (!begin(2)) {
            return;
        }
        if (!tokens.readUnsigned32(1)) {
            answer(BAD_FORMAT);
            return;
        }
        session.status.verbosity = (int) Math.min(MAX_VERBOSITY, tokens.number());
        answer(OK);
    }

    private void stats() {
        String argument = tokens.count() < 2 ? "" : tokens.string(1);
        String further = tokens.count() < 3 ? "" : tokens.string(2);
        Statistics statistics = new Statistics(session.store, session.status);
        switch (argument) {
            case "reset":
                statistics.reset();
                session.out.bytes(Ascii.line("RESET"));
                break;
            case "detail":
                detail(further);
                break;
            case "cachedump":
                session.out.bytes(Ascii.line(tokens.count() < 4 ? "CLIENT_ERROR bad command line"
                        : "CLIENT_ERROR stats cachedump not allowed"));
                break;
            default:
                if (statistics.write(argument, this::stat)) {
                    session.out.bytes(Ascii.line("END"));
                } else {
                    session.out.bytes(TextProtocol.ERROR);
                }
        }
    }

    private void detail(String what) {
        PrefixStatistics prefixes = session.status.prefixes;
        if (what.equals("on") || what.equals("off")) {
            prefixes.turn(what.equals("on"));
            session.out.bytes(OK);
        } else if (what.equals("dump")) {
            byte[] lines = prefixes.dump();
            session.out.bytes(session.out.ensure(lines.length) ? lines : OUT_OF_MEMORY);
        } else {
            session.out.bytes(Ascii.line("CLIENT_ERROR usage: stats detail on|off|dump"));
        }
    }

    private void stat(String name, String value) {
        session.out.bytes(Ascii.line("STAT " + name + " " + value));
    }
}
