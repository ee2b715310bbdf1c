package org.jvrpc.runtime.verbs;

import org.jvrpc.runtime.session.Bodies;
import org.jvrpc.runtime.session.Body;
import org.jvrpc.verbs.Access;

/**
 * Memory for the long bodies of one session: those that are sent, which the peer may read, and those that are fetched
 * from it, which nobody else may. What is given back may be read by the session's peer until it is used again: it was
 * that peer's. Any thread.
 */
public final class BodyPool implements Bodies {

    private final SessionDomain domain;
    private final BodyShelf sent;
    private final BodyShelf fetched;

    /** @param domain the session's, closed with this */
    public BodyPool(SessionDomain domain) {
        this.domain = domain;
        this.sent = new BodyShelf(domain, Access.LOCAL_WRITE | Access.REMOTE_READ, true);
        this.fetched = new BodyShelf(domain, Access.LOCAL_WRITE, false);
    }

    @Override
    public RegionBody take(long bytes) {
        return sent.take(bytes);
    }

    @Override
    public RegionBody takeForFetch(long bytes) {
        return fetched.take(bytes);
    }

    @Override
    public RegionBody reuseForFetch(long bytes) {
        return fetched.takeMade(bytes);
    }

    @Override
    public void give(Body body) {
        RegionBody region = (RegionBody) body;
        region.shelf().give(region);
    }

    /** Ends the session's domain, now or when the last body is given back. After its link is closed. */
    @Override
    public void close() {
        sent.close();
        fetched.close();
        domain.close();
    }
}
