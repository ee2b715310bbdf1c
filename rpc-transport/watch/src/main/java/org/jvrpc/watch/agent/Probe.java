package org.jvrpc.watch.agent;

/** A probe, from its sending until its window is reported. Times are of the transport, T1 and T6 of the agent. */
final class Probe {

    /** What later answers say of one that has none. */
    enum Way { UNKNOWN, FORWARD_LOST, BACK_LOST }

    final Peer peer;
    final long number;
    final long sequence;
    final int nonce;
    final int flow;
    final int size;
    final int serviceLevel;
    /** Sent to learn where another one was lost: if it is lost itself, no third one is sent. */
    final boolean followUp;
    /** When it was made, or due. */
    final long t1;
    /** When the answer counts as lost, by a clock that stands while the agent does. */
    final long deadline;

    long t2;
    long t5;
    long t6;
    long responderNs;
    boolean sent;
    boolean acknowledged;
    boolean timed;
    boolean failed;
    boolean damaged;
    Way way = Way.UNKNOWN;

    Probe(Peer peer, long number, long sequence, int nonce, int flow, int size, int serviceLevel, boolean followUp,
            long t1, long deadline) {
        this.peer = peer;
        this.number = number;
        this.sequence = sequence;
        this.nonce = nonce;
        this.flow = flow;
        this.size = size;
        this.serviceLevel = serviceLevel;
        this.followUp = followUp;
        this.t1 = t1;
        this.deadline = deadline;
    }

    /** All that may be known is known. */
    boolean isComplete() {
        return failed || sent && acknowledged && timed;
    }

    /** Returns (T5-T2) - (T4-T3). */
    long networkNs() {
        return t5 - t2 - responderNs;
    }

    /** Returns (T6-T1) - (T5-T2). */
    long proberNs() {
        return t6 - t1 - (t5 - t2);
    }
}
