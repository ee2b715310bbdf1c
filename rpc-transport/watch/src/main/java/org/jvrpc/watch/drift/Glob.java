package org.jvrpc.watch.drift;

/** Names with stars and question marks in them. Takes time linear in the name for each star. */
final class Glob {

    static final int MOST = 100;

    private Glob() {
    }

    /** Returns true when a pattern fits a subject, or what stands before its first slash. */
    static boolean fits(String pattern, String subject) {
        int slash = subject.indexOf('/');
        return matches(pattern, subject) || slash >= 0 && matches(pattern, subject.substring(0, slash));
    }

    private static boolean matches(String pattern, String text) {
        int p = 0;
        int star = -1;
        int resume = 0;
        for (int t = 0; t < text.length();) {
            if (p < pattern.length() && pattern.charAt(p) == '*') {
                star = p++;
                resume = t;
            } else if (p < pattern.length() && (pattern.charAt(p) == '?' || pattern.charAt(p) == text.charAt(t))) {
                p++;
                t++;
            } else if (star >= 0) {
                p = star + 1;
                t = ++resume;
            } else {
                return false;
            }
        }
        while (p < pattern.length() && pattern.charAt(p) == '*') {
            p++;
        }
        return p == pattern.length();
    }
}
