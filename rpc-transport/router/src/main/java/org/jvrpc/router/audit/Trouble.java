package org.jvrpc.router.audit;

import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;

/**
 * Something that is tried over and over, as its log has it: while it fails, each reason is said once, and when it
 * succeeds again, how many tries had failed. One thread at a time.
 */
public final class Trouble {

    /** The most reasons that are said before it succeeds. */
    static final int MOST = 16;

    private final Logger log;
    private final String what;
    private final Set<String> said = new HashSet<>();
    private int tries;

    /** No trouble yet. @param what is tried, for the log */
    public Trouble(Logger log, String what) {
        this.log = log;
        this.what = what;
    }

    /** It has failed. @return false: the reason was said before, or too many were */
    public boolean is(String why) {
        tries++;
        boolean fresh = said.size() < MOST && said.add(why);
        if (fresh) {
            log.warn("{}: {}", what, why);
        }
        return fresh;
    }

    /** It has succeeded. @return how many tries had failed, 0 for none */
    public int over() {
        int failed = tries;
        if (failed > 0) {
            log.info("{}: all is well again, tries that failed={}", what, failed);
            said.clear();
            tries = 0;
        }
        return failed;
    }
}
