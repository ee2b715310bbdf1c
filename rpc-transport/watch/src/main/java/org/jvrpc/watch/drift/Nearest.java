package org.jvrpc.watch.drift;

import java.util.Collection;

/** The name that somebody may have meant. */
final class Nearest {

    private static final int MOST_MISTAKES = 2;
    private static final int HEAD = 4;

    private Nearest() {
    }

    /** Returns the known name with two mistakes at most, or with the same first four letters; null when none is. */
    static String of(String word, Collection<String> known) {
        String best = null;
        int least = MOST_MISTAKES + 1;
        for (String name : known) {
            int distance = distance(word, name);
            if (distance < least && distance < name.length()) {
                least = distance;
                best = name;
            }
        }
        if (best != null || word.length() < HEAD) {
            return best;
        }
        String head = word.substring(0, HEAD);
        return known.stream().filter(name -> name.startsWith(head)).findFirst().orElse(null);
    }

    /** Returns how many letters are to be put in, left out, changed, or swapped with the next. */
    static int distance(String a, String b) {
        int[] beforeLast = new int[b.length() + 1];
        int[] last = new int[b.length() + 1];
        int[] now = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            last[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            now[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                boolean same = a.charAt(i - 1) == b.charAt(j - 1);
                now[j] = Math.min(last[j - 1] + (same ? 0 : 1), Math.min(last[j], now[j - 1]) + 1);
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
                    now[j] = Math.min(now[j], beforeLast[j - 2] + 1);
                }
            }
            int[] free = beforeLast;
            beforeLast = last;
            last = now;
            now = free;
        }
        return last[b.length()];
    }
}
