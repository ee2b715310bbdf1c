package org.jvrpc.roce.rc;

import java.util.LinkedHashMap;
import java.util.Map;

/** What one side of a QP counted, or many did. One thread at a time. */
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
    private long exceededRetries;
    private long exceededRnrRetries;

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

    void retriesExceeded() {
        exceededRetries++;
    }

    void rnrRetriesExceeded() {
        exceededRnrRetries++;
    }

    /** Adds what another counted. */
    public void add(RcCounters other) {
        sentPackets += other.sentPackets;
        resentPackets += other.resentPackets;
        receivedPackets += other.receivedPackets;
        duplicateRequests += other.duplicateRequests;
        outOfSequence += other.outOfSequence;
        sentRnrNaks += other.sentRnrNaks;
        receivedRnrNaks += other.receivedRnrNaks;
        receivedSequenceNaks += other.receivedSequenceNaks;
        impliedNaks += other.impliedNaks;
        timeouts += other.timeouts;
        strayResponses += other.strayResponses;
        exceededRetries += other.exceededRetries;
        exceededRnrRetries += other.exceededRnrRetries;
    }

    /**
     * Returns all, by the names that Linux's rdma_rxe has for them, else mlx5's ({@code out_of_sequence} counts each
     * packet, as mlx5 does), and two that neither has: {@code resent_pkts} and {@code stray_responses}.
     */
    public Map<String, Long> named() {
        Map<String, Long> named = new LinkedHashMap<>();
        named.put("sent_pkts", sentPackets);
        named.put("rcvd_pkts", receivedPackets);
        named.put("resent_pkts", resentPackets);
        named.put("duplicate_request", duplicateRequests);
        named.put("out_of_sequence", outOfSequence);
        named.put("send_rnr_err", sentRnrNaks);
        named.put("rcvd_rnr_err", receivedRnrNaks);
        named.put("rcvd_seq_err", receivedSequenceNaks);
        named.put("implied_nak_seq_err", impliedNaks);
        named.put("local_ack_timeout_err", timeouts);
        named.put("retry_exceeded_err", exceededRetries);
        named.put("retry_rnr_exceeded_err", exceededRnrRetries);
        named.put("stray_responses", strayResponses);
        return named;
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
