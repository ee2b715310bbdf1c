package org.jvrpc.samples.kv.memcache;

import java.nio.ByteBuffer;
import org.jvrpc.samples.kv.store.StoreMode;

/** The text protocol: finds lines and tells commands apart. */
final class TextProtocol {

    static final byte[] ERROR = Ascii.line("ERROR");

    private static final int LONGEST_LINE = 2048;
    private static final int LONGEST_GET = BufferPool.LARGEST / 2;
    private static final int MOST_SPACES = 100;

    private static final long GET = Ascii.word("get");
    private static final long GETS = Ascii.word("gets");
    private static final long GAT = Ascii.word("gat");
    private static final long GATS = Ascii.word("gats");
    private static final long BGET = Ascii.word("bget");
    private static final long SET = Ascii.word("set");
    private static final long ADD = Ascii.word("add");
    private static final long REPLACE = Ascii.word("replace");
    private static final long APPEND = Ascii.word("append");
    private static final long PREPEND = Ascii.word("prepend");
    private static final long CAS = Ascii.word("cas");
    private static final byte[] GET_SPACE = Ascii.bytes("get ");
    private static final byte[] GETS_SPACE = Ascii.bytes("gets ");
    private static final byte[] HTTP = Ascii.bytes("HTTP/");

    private final Session session;
    private final Tokens tokens = new Tokens();
    private final TextGet get;
    private final TextStore store;
    private final TextCommands commands;
    private final MetaProtocol meta;
    private int scanned;

    TextProtocol(Session session) {
        this.session = session;
        get = new TextGet(session, tokens);
        store = new TextStore(session, tokens);
        commands = new TextCommands(session, tokens);
        meta = new MetaProtocol(session, tokens);
    }

    /** Carries out one command, or one key of a get. @return false when more input is needed or the session ends */
    boolean step(ByteBuffer in) {
        if (get.isUnderWay()) {
            get.next(in);
            return true;
        }
        int from = in.position();
        int end = newline(in, from);
        if (end < 0) {
            return checkUnfinished(in, from);
        }
        int next = end + 1;
        int to = end - from > 1 && in.get(end - 1) == '\r' ? end - 1 : end;
        tokens.parse(in, from, to);
        if (tokens.count() == 0 || tokens.length(0) < 2) {
            session.out.bytes(ERROR);
        } else if (isMeta()) {
            return meta.command(in, next);
        } else {
            return dispatch(in, from, to, next);
        }
        in.position(next);
        return true;
    }

    /** Goes on where the last look at an unfinished line ended, so that a long one is not read again and again. */
    private int newline(ByteBuffer in, int from) {
        int limit = in.limit();
        for (int at = from + scanned; at < limit; at++) {
            if (in.get(at) == '\n') {
                scanned = 0;
                return at;
            }
        }
        scanned = limit - from;
        return -1;
    }

    /** Only a get may have a long line. */
    private boolean checkUnfinished(ByteBuffer in, int from) {
        if (scanned > LONGEST_LINE) {
            int at = from;
            while (at < in.limit() && in.get(at) == ' ') {
                at++;
            }
            boolean isGet = startsWith(in, at, GET_SPACE) || startsWith(in, at, GETS_SPACE);
            if (at - from > MOST_SPACES || !isGet || scanned > LONGEST_GET || session.takeNoRoom()) {
                session.close();
                return false;
            }
        }
        return session.await(scanned + 1);
    }

    private static boolean startsWith(ByteBuffer in, int at, byte[] word) {
        for (int i = 0; i < word.length; i++) {
            if (at + i >= in.limit() || in.get(at + i) != word[i]) {
                return false;
            }
        }
        return true;
    }

    private boolean isMeta() {
        return tokens.length(0) == 2 && tokens.at(0, 0) == 'm';
    }

    private boolean dispatch(ByteBuffer in, int from, int to, int next) {
        long word = tokens.word(0);
        if (word == GET || word == BGET) {
            get.begin(in, to, next, false, false);
        } else if (word == SET) {
            return store.command(in, next, StoreMode.SET);
        } else if (word == GETS) {
            get.begin(in, to, next, true, false);
        } else if (word == GAT) {
            get.begin(in, to, next, false, true);
        } else if (word == GATS) {
            get.begin(in, to, next, true, true);
        } else if (word == ADD) {
            return store.command(in, next, StoreMode.ADD);
        } else if (word == REPLACE) {
            return store.command(in, next, StoreMode.REPLACE);
        } else if (word == APPEND) {
            return store.command(in, next, StoreMode.APPEND);
        } else if (word == PREPEND) {
            return store.command(in, next, StoreMode.PREPEND);
        } else if (word == CAS) {
            return store.command(in, next, StoreMode.CAS);
        } else {
            if (!commands.command()) {
                unknown();
            }
            in.position(next);
        }
        return true;
    }

    /** A browser that was sent here is not answered. */
    private void unknown() {
        if (tokens.startsWith(tokens.count() - 1, HTTP)) {
            session.close();
        } else {
            session.out.bytes(ERROR);
        }
    }
}
