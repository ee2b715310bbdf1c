package org.jvrpc.runtime.counters.write;

/**
 * What a session of messages counts: frames, as calls of two methods of {@link #SERVICE}. One thread at a time sends,
 * and one at a time receives.
 */
public final class FrameCounters implements AutoCloseable {

    /** In the place of a service. */
    public static final String SERVICE = "jvrpc.Messages";
    /** In the place of a method: frames that were sent, or are queued to be. */
    public static final String SEND = "send";
    /** In the place of a method: frames that came whole. */
    public static final String RECEIVE = "receive";

    private final Endpoint endpoint;
    private final Lane lane;
    private final SessionBlock session;
    private final MethodBlock sent;
    private final MethodBlock received;

    private FrameCounters(Endpoint endpoint, long id, String peer, int window) {
        this.endpoint = endpoint;
        this.lane = endpoint.takeLane();
        this.sent = lane.method(SERVICE, SEND);
        this.received = lane.method(SERVICE, RECEIVE);
        this.session = endpoint.session(id, lane);
        session.slots(window);
        session.credits(window);
        session.begin(peer);
    }

    /**
     * Makes those of a session.
     *
     * @param endpoint of messages; null where nothing is counted, then this returns null
     * @param window how many pieces may be under way
     */
    public static FrameCounters of(Endpoint endpoint, long id, String peer, int window) {
        return endpoint == null ? null : new FrameCounters(endpoint, id, peer, window);
    }

    public void sent(int bytes) {
        sent.begun();
        sent.left(bytes);
        sent.succeeded();
    }

    public void received(int bytes) {
        received.begun();
        received.came(bytes);
        received.succeeded();
    }

    /** The session is gone: nobody counts any more. Once. */
    @Override
    public void close() {
        session.close();
        endpoint.giveLane(lane);
    }
}
