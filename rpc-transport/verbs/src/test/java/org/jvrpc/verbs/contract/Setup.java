package org.jvrpc.verbs.contract;

import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.ServiceClass;
import org.jvrpc.verbs.SharedReceiveQueue;

/** What the QPs of a test are made with; a builder. Sizes in bytes, times in nanoseconds. */
final class Setup {

    int sendDepth = 16;
    int receiveDepth = 16;
    int sendSges = 4;
    int receiveSges = 4;
    int inline = 128;
    int rnrRetry = 3;
    long rnrTimerNs = 10_000;
    int cqDepth = 256;
    int cqeBytes = 64;
    boolean inPlace;
    /** Each CQ is of one queue. */
    boolean exclusive;
    long memory = 1 << 18;
    SharedReceiveQueue srq;
    boolean datagram;
    int qkey;
    ServiceClass service = ServiceClass.DEFAULT;

    static Setup usual() {
        return new Setup();
    }

    Setup depth(int send, int receive) {
        sendDepth = send;
        receiveDepth = receive;
        return this;
    }

    Setup sges(int send, int receive) {
        sendSges = send;
        receiveSges = receive;
        return this;
    }

    Setup inline(int bytes) {
        inline = bytes;
        return this;
    }

    Setup rnr(int retry, long timerNs) {
        rnrRetry = retry;
        rnrTimerNs = timerNs;
        return this;
    }

    Setup cq(int depth, int bytes, boolean payloadInPlace) {
        cqDepth = depth;
        cqeBytes = bytes;
        inPlace = payloadInPlace;
        return this;
    }

    Setup memory(long bytes) {
        memory = bytes;
        return this;
    }

    /** Receives come from an SRQ. */
    Setup shared(SharedReceiveQueue queue) {
        srq = queue;
        return this;
    }

    Setup datagram(int key) {
        datagram = true;
        qkey = key;
        return this;
    }

    Setup service(ServiceClass asked) {
        service = asked;
        return this;
    }

    CompletionQueueAttributes cqAttributes() {
        return new CompletionQueueAttributes(cqDepth, cqeBytes, exclusive, inPlace, null);
    }

    QueuePairAttributes attributes(CompletionQueue sendCq, CompletionQueue receiveCq) {
        QueuePairAttributes attributes = new QueuePairAttributes(sendCq, receiveCq)
                .depth(sendDepth, receiveDepth)
                .sges(sendSges, receiveSges)
                .inline(inline)
                .rnr(rnrRetry, rnrTimerNs)
                .sharedReceive(srq)
                .serviceClass(service);
        return datagram ? attributes.datagram(qkey) : attributes;
    }
}
