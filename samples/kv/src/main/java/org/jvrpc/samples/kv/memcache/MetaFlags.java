package org.jvrpc.samples.kv.memcache;

import org.jvrpc.samples.kv.store.Store;

/** The flags behind a meta command's key. Reused; one thread. */
final class MetaFlags {

    static final byte[] BAD_FORMAT = Ascii.line("CLIENT_ERROR bad command line format");

    private static final byte[] DUPLICATE = Ascii.line("CLIENT_ERROR duplicate flag");
    private static final byte[] BAD_KEY = Ascii.line("CLIENT_ERROR error decoding key");
    private static final byte[] BAD_TOKEN = Ascii.line("CLIENT_ERROR bad token in command line format");
    private static final byte[] BAD_MODE = Ascii.line("CLIENT_ERROR incorrect length for M token");
    private static final byte[] BAD_INITIAL = Ascii.line("CLIENT_ERROR invalid numeric initial value");
    private static final byte[] BAD_DELTA = Ascii.line("CLIENT_ERROR invalid numeric delta value");
    private static final byte[] INVALID = Ascii.line("CLIENT_ERROR invalid flag");
    private static final byte[] OPAQUE_TOO_LONG = Ascii.line("CLIENT_ERROR opaque token too long");
    private static final int MAX_OPAQUE = 32;
    private static final int LETTERS = 127;

    boolean keyBinary;
    boolean vivify;
    boolean value;
    boolean noUpdate;
    boolean quiet;
    boolean stale;
    boolean hasVersion;
    boolean newExpiry;
    boolean recache;
    /** R stands before T: it looks at the expiry so far. */
    boolean recacheFirst;
    /** The later one of T and N, which a made item gets. */
    int madeExpiry;
    int expiry;
    int vivifyExpiry;
    long recacheBefore;
    int clientFlags;
    long version;
    long delta;
    long initial;
    /** The letter behind M, 0 for none. */
    int mode;
    /** What is wrong; meaningful when {@link #parse} returned false. */
    byte[] error;

    private final Store store;
    private final long[] seen = new long[2];
    private Tokens tokens;

    MetaFlags(Store store) {
        this.store = store;
    }

    private void clear() {
        keyBinary = false;
        vivify = false;
        value = false;
        noUpdate = false;
        quiet = false;
        stale = false;
        hasVersion = false;
        newExpiry = false;
        recache = false;
        recacheFirst = false;
        madeExpiry = 0;
        expiry = 0;
        vivifyExpiry = 0;
        clientFlags = 0;
        version = 0;
        delta = 1;
        initial = 0;
        mode = 0;
        error = BAD_FORMAT;
        seen[0] = 0;
        seen[1] = 0;
    }

    /** Reads the flags from a token on. As memcached does, goes on after an error: the last one is told. */
    boolean parse(Tokens line, int first) {
        tokens = line;
        clear();
        boolean good = true;
        for (int i = first; i < tokens.count(); i++) {
            int letter = tokens.at(i, 0);
            if (letter < 0 || letter >= LETTERS || (seen[letter >> 6] & 1L << letter) != 0) {
                error = DUPLICATE;
                return false;
            }
            seen[letter >> 6] |= 1L << letter;
            if (!isKnown(letter)) {
                error = INVALID;
                return false;
            }
            good &= read(i, letter);
        }
        return good;
    }

    private static boolean isKnown(int letter) {
        return "bNTRlOPLkstcfvhuqFCMJDI".indexOf(letter) >= 0;
    }

    private boolean read(int i, int letter) {
        switch (letter) {
            case 'b':
                keyBinary = true;
                return true;
            case 'N':
            case 'T':
            case 'R':
                return readTime(i, letter);
            case 'v':
                value = true;
                return true;
            case 'u':
                noUpdate = true;
                return true;
            case 'q':
                quiet = true;
                return true;
            case 'I':
                stale = true;
                return true;
            case 'M':
                mode = tokens.length(i) == 2 ? tokens.at(i, 1) : 0;
                return tokens.length(i) == 2 || fail(BAD_MODE);
            case 'F':
                clientFlags = tokens.readUnsigned32Behind(i) ? (int) tokens.number() : 0;
                return tokens.readUnsigned32Behind(i) || fail(error);
            default:
                return readNumber(i, letter);
        }
    }

    private boolean readNumber(int i, int letter) {
        switch (letter) {
            case 'C':
                hasVersion = tokens.readUnsignedBehind(i);
                version = hasVersion ? tokens.number() : 0;
                return hasVersion || fail(BAD_TOKEN);
            case 'J':
                initial = tokens.readUnsignedBehind(i) ? tokens.number() : 0;
                return tokens.readUnsignedBehind(i) || fail(BAD_INITIAL);
            case 'D':
                delta = tokens.readUnsignedBehind(i) ? tokens.number() : 0;
                return tokens.readUnsignedBehind(i) || fail(BAD_DELTA);
            default:
                return true;
        }
    }

    private boolean readTime(int i, int letter) {
        vivify |= letter == 'N';
        if (!tokens.readSigned32Behind(i)) {
            return fail(BAD_TOKEN);
        }
        int unixSeconds = store.expiryOf(tokens.number());
        if (letter == 'R') {
            recache = true;
            recacheFirst = !newExpiry;
            recacheBefore = Integer.toUnsignedLong(unixSeconds);
            return true;
        }
        madeExpiry = unixSeconds;
        if (letter == 'T') {
            newExpiry = true;
            expiry = unixSeconds;
        } else {
            vivifyExpiry = unixSeconds;
        }
        return true;
    }

    private boolean fail(byte[] answer) {
        error = answer;
        return false;
    }

    /** Says that the key could not be decoded. */
    void badKey() {
        error = BAD_KEY;
    }

    /** Looks at the length of the opaque. */
    boolean checkOpaque(int first) {
        for (int i = first; i < tokens.count(); i++) {
            if (tokens.at(i, 0) == 'O' && tokens.length(i) > MAX_OPAQUE) {
                return fail(OPAQUE_TOO_LONG);
            }
        }
        return true;
    }
}
