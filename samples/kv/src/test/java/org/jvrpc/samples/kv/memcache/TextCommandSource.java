package org.jvrpc.samples.kv.memcache;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Random;

/** Random commands of the text and meta protocols. In the place of an item's version stands {key}. */
final class TextCommandSource {

    private static final String[] TIMES = {"0", "0", "0", "100", "5000", "-1", "2592000", "4000000000", "x", "", "1e3"};
    /** None above 2^63: with a value like that memcached looks for a sign in what lies behind it by chance. */
    private static final String[] NUMBERS = {"0", "1", "7", "10", "99", "100", "1000000000000000", "-1", "abc",
        "12 34", "", "5x", "00012", "18446744073709551616"};
    private static final String[] ODD = {"", " ", "foo", "get", "gets", "gat", "gat 10", "gat x a", "set", "set a",
        "set a 0 0", "incr", "incr a", "delete", "touch", "touch a", "version", "verbosity 1", "verbosity",
        "verbosity 1 noreply", "verbosity x", "mn", "mx", "m", "mg", "ms", "md", "ma", "me", "cas a 0 0 1",
        "flush_all x", "flush_all 0 noreply", "set a b c d", "set a 0 0 -1", "set a 0 0 x", "set a 0 x 1",
        "set a -1 0 0", "add a 0 0 -5 noreply", "set a 0 0 -5 noreply", "delete a 0", "delete a 1",
        "delete a 0 noreply",
        "delete a x noreply", "delete a noreply noreply", "incr a 1 2 3", "get a b c d e f g", "stats nothing",
        "mg a a", "mg a q q", "mg a s s", "ms a", "ms a x", "ms a -1", "md a Z", "ma a MX", "ma a M", "ma a Dx",
        "ma a Jx", "mg a Tx", "mg a Nx", "ms a S0", "me", "GET a", "shutdown", "mg a b", "touch a x",
        "flush_all 1 2 3", "incr a -1", "decr a x", "stats detail", "mg k " + "v ".repeat(30), "get" + " a".repeat(60)};

    private final Random random;
    private final int keys;
    private String lastKey = "";

    TextCommandSource(Random random, int keys) {
        this.random = random;
        this.keys = keys;
    }

    /** Returns a command with its line end, and its value where it has one. */
    String next() {
        switch (random.nextInt(14)) {
            case 0:
            case 1:
                return store();
            case 2:
                return cas();
            case 3:
                return get();
            case 4:
                return pick("incr ", "decr ") + key() + " " + pick(NUMBERS) + noreply() + "\r\n";
            case 5:
                return random.nextBoolean() ? "touch " + key() + " " + pick(TIMES) + noreply() + "\r\n"
                        : pick("gat ", "gats ") + pick(TIMES) + " " + key() + " " + key() + "\r\n";
            case 6:
                return "delete " + key() + noreply() + "\r\n";
            case 7:
                return pick(ODD) + pick("\r\n", "\r\n", "\n");
            case 8:
                return random.nextInt(20) == 0 ? "flush_all" + pick("", " 0", " -1") + "\r\n" : get();
            case 9:
            case 10:
                return metaGet();
            case 11:
                return metaSet();
            case 12:
                return "md " + metaKey()
                        + flags("q", "O" + longOpaque(), "k", "I", "T" + pick(TIMES), "C{key}") + "\r\n";
            default:
                return "ma " + metaKey() + flags("N" + pick(TIMES), "J" + pick(NUMBERS), "D" + pick(NUMBERS),
                        "M" + pick("I", "D", "+", "-", "i"), "q", "v", "c", "k", "O" + opaque()) + "\r\n";
        }
    }

    private String key() {
        return random.nextInt(100) == 0 ? "x".repeat(249 + random.nextInt(4)) : "k" + random.nextInt(keys);
    }

    private String metaKey() {
        lastKey = key();
        if (random.nextInt(5) != 0) {
            return lastKey;
        }
        return Base64.getEncoder().encodeToString(lastKey.getBytes(StandardCharsets.US_ASCII)) + " b";
    }

    private String opaque() {
        return Integer.toString(random.nextInt(1000));
    }

    /** Not for mg and ma: memcached refuses one that is too long only when it has done half of the command. */
    private String longOpaque() {
        return random.nextInt(30) == 0 ? "o".repeat(40) : Integer.toString(random.nextInt(1000));
    }

    private String pick(String... of) {
        return of[random.nextInt(of.length)];
    }

    private String noreply() {
        return random.nextInt(6) == 0 ? " noreply" : "";
    }

    private String value() {
        if (random.nextInt(3) == 0) {
            return Integer.toString(random.nextInt(100_000));
        }
        int length = random.nextInt(20) == 0 ? random.nextInt(5000) : random.nextInt(30);
        StringBuilder value = new StringBuilder();
        for (int i = 0; i < length; i++) {
            value.append((char) ('!' + random.nextInt(90)));
        }
        return value.toString();
    }

    private String store() {
        String value = value();
        String ending = random.nextInt(40) == 0 ? "more\r\n" : "\r\n";
        return pick("set", "set", "add", "replace", "append", "prepend") + " " + key() + " "
                + random.nextInt(100_000) + " " + pick("0", "0", "100", "-1") + " " + value.length() + noreply()
                + "\r\n" + value + ending;
    }

    private String cas() {
        String value = value();
        String key = "k" + random.nextInt(keys);
        return "cas " + key + " 3 0 " + value.length() + " " + (random.nextInt(4) == 0 ? "1" : "{" + key + "}")
                + noreply() + "\r\n" + value + "\r\n";
    }

    private String get() {
        StringBuilder line = new StringBuilder(pick("get", "gets"));
        for (int i = random.nextInt(4); i >= 0; i--) {
            line.append(pick(" ", "  ")).append(key());
        }
        return line.append("\r\n").toString();
    }

    private String metaGet() {
        return "mg " + metaKey() + flags("v", "s", "f", "c", "k", "t", "h", "q", "u", "O" + opaque(), "E1",
                // No R of the length of another time: whether a second has passed in between would tell then.
                pick("T" + pick("0", "30", "100", "1000", "-1"), "N" + pick("0", "30", "100", "1000", "-1"),
                        "R" + pick("0", "50", "500", "-1"))) + "\r\n";
    }

    private String metaSet() {
        String value = value();
        String[] key = metaKey().split(" ");
        return "ms " + key[0] + " " + value.length() + (key.length > 1 ? " b" : "")
                + flags("q", "O" + longOpaque(), "k", "c", "F" + random.nextInt(1000), "I",
                        "T" + pick("0", "100", "-1"), "M" + pick("E", "A", "P", "R", "S", "x"), "C{key}")
                + "\r\n" + value + "\r\n";
    }

    private String flags(String... of) {
        StringBuilder line = new StringBuilder();
        for (String flag : of) {
            if (random.nextInt(3) == 0) {
                line.append(' ').append(flag.replace("{key}", "{" + lastKey + "}"));
            }
        }
        return line.toString();
    }
}
