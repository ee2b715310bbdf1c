package org.jvrpc.offload.hull;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/**
 * Lines that hull and application exchange: words with one space between them, percent-encoded UTF-8, ended by a line
 * feed. A person can type them.
 *
 * <pre>
 * attach PID                                  ok EXPORTED GENERATION FORMATTED ADDRESS
 * formatted true|false                        ok
 * offer NAME KIND HEADER REARM RATE BURST     ok NEW|SAME|REPLACED
 * withdraw NAME                               ok true|false
 * alone NAME                                  ok COUNT
 * clients                                     ok [NUMBER NAME EXECUTED]…
 * cut NUMBER                                  ok true|false
 * anything else                               error MESSAGE
 * </pre>
 */
final class ControlLine {

    static final String OK = "ok";
    static final String ERROR = "error";
    static final String ATTACH = "attach";
    static final String FORMATTED = "formatted";
    static final String OFFER = "offer";
    static final String WITHDRAW = "withdraw";
    static final String ALONE = "alone";
    static final String CLIENTS = "clients";
    static final String CUT = "cut";

    private ControlLine() {
    }

    /** Returns the line of some words, without its end. */
    static String of(Object... words) {
        StringBuilder line = new StringBuilder();
        for (Object word : words) {
            line.append(line.isEmpty() ? "" : " ")
                    .append(URLEncoder.encode(word.toString(), StandardCharsets.UTF_8));
        }
        return line.toString();
    }

    /** Returns a line's words. @throws IllegalArgumentException when they are not encoded as they should be */
    static String[] words(String line) {
        String[] words = line.trim().split(" ", -1);
        for (int i = 0; i < words.length; i++) {
            words[i] = URLDecoder.decode(words[i], StandardCharsets.UTF_8);
        }
        return words;
    }
}
