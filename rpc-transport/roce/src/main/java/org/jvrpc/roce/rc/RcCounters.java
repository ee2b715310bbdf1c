package org.jvrpc.roce.rc;

/** What one side of a QP counted; the counters' names are those of Linux (rdma-tool, {@code rdma statistic}). */
public final class RcCounters {

    private long sentPackets;
    private long resentPackets;
    private long receivedPackets;
    private long duplicateRequests;
    private long outOfSequence;
    private long sentRnrNaks;
    private long receivedRnrNaks;
    private long receivedSequenceNaks;
    private long impliedNaks;
    private long timeouts;
    private long strayResponses;

    void sent(boolean again) {
        sentPackets++;
        if (again) {
            resentPackets++;
        }
    }

    void received() {
        receivedPackets++;
    }

    void duplicate() {
        duplicateRequests++;
    }

    void gap() {
        outOfSequence++;
    }

    void rnrNakSent() {
        sentRnrNaks++;
    }

    void rnrNakReceived() {
        receivedRnrNaks++;
    }

    void sequenceNakReceived() {
        receivedSequenceNaks++;
    }

    void nakImplied() {
        impliedNaks++;
    }

    void timeout() {
        timeouts++;
    }

    void stray() {
        strayResponses++;
    }

    public long sentPackets() {
        return sentPackets;
    }

    /** Returns how many of those were sent before. */
    public long resentPackets() {
        return resentPackets;
    }

    public long receivedPackets() {
        return receivedPackets;
    }

    public long duplicateRequests() {
        return duplicateRequests;
    }

    /** Returns how many requests came ahead of one that was missing. */
    public long outOfSequence() {
        return outOfSequence;
    }

    public long sentRnrNaks() {
        return sentRnrNaks;
    }

    public long receivedRnrNaks() {
        return receivedRnrNaks;
    }

    public long receivedSequenceNaks() {
        return receivedSequenceNaks;
    }

    /** Returns how often a response told that an earlier one was lost. */
    public long impliedNaks() {
        return impliedNaks;
    }

    public long timeouts() {
        return timeouts;
    }

    /** Returns how many responses were for nothing that is under way. */
    public long strayResponses() {
        return strayResponses;
    }
}
