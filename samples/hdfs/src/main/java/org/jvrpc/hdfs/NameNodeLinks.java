package org.jvrpc.hdfs;

import java.util.HashMap;
import java.util.Map;
import org.jvrpc.runtime.IdleStrategy;

/** The links of this process, which all callers of one NameNode share, whoever they call for. Any thread. */
final class NameNodeLinks {

    /**
     * What callers that share a link agree in.
     *
     * @param address the jvRPC address
     * @param local when it is known at once whether somebody serves there
     * @param timeoutMs how long a call may take; 0 and less is for ever
     * @param maxResponseBytes the longest answer that is taken
     * @param slots how many calls may be under way
     * @param idle how callers wait
     */
    record Key(String address, boolean local, int timeoutMs, int maxResponseBytes, int slots, IdleStrategy idle) {
    }

    private static final Map<Key, NameNodeLink> LINKS = new HashMap<>();

    private NameNodeLinks() {
    }

    /** Returns the link; to be given back once. */
    static NameNodeLink take(Key key) {
        synchronized (LINKS) {
            NameNodeLink link = LINKS.computeIfAbsent(key, NameNodeLink::new);
            link.users++;
            return link;
        }
    }

    /** Gives a link back; the last user closes it. */
    static void give(NameNodeLink link) {
        synchronized (LINKS) {
            if (--link.users > 0) {
                return;
            }
            LINKS.remove(link.key());
        }
        link.close();
    }
}
