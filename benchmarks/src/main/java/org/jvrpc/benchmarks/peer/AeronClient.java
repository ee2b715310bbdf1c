package org.jvrpc.benchmarks.peer;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.FragmentAssembler;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.logbuffer.BufferClaim;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.jvrpc.benchmarks.harness.ClientEnd;
import org.jvrpc.benchmarks.harness.Operation;
import org.jvrpc.benchmarks.harness.Pipeline;
import org.jvrpc.benchmarks.harness.Workload;

/** Calls an {@link AeronServer}: claims, commits, polls without pause. */
public final class AeronClient implements ClientEnd {

    private static final int FRAGMENT_LIMIT = 128;
    private static final long CONNECT_LIMIT_NS = TimeUnit.SECONDS.toNanos(10);

    private Aeron aeron;
    private ExclusivePublication requests;
    private Subscription replies;

    @Override
    public void connect(String address, int index) {
        aeron = AeronSetup.connect(address, null);
        replies = aeron.addSubscription(AeronSetup.CHANNEL, AeronSetup.replyStream(index));
        requests = aeron.addExclusivePublication(AeronSetup.CHANNEL, AeronSetup.requestStream(index));
        long end = System.nanoTime() + CONNECT_LIMIT_NS;
        while (!requests.isConnected() || !replies.isConnected()) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("no answer from the media driver in " + address);
            }
            aeron.conductorAgentInvoker().invoke();
            Thread.yield();
        }
    }

    @Override
    public Operation operation(Workload workload) {
        if (workload.kind() == Workload.Kind.RECORD) {
            throw workload.unsupported();
        }
        int length = Math.max(AeronSetup.MIN_BYTES, workload.size());
        return length <= requests.maxPayloadLength() ? new Claimed(length) : new Offered(length);
    }

    @Override
    public Pipeline pipeline() {
        return new AeronPipeline();
    }

    private static boolean sent(long position) {
        if (position == Publication.CLOSED || position == Publication.NOT_CONNECTED
                || position == Publication.MAX_POSITION_EXCEEDED) {
            throw new IllegalStateException("publication refuses: " + Publication.errorString(position));
        }
        return position > 0;
    }

    @Override
    public void close() {
        // The driver goes away with the server process; a polite good-bye would wait for its answer.
    }

    /** Sends a message and polls until the whole of it has come back. */
    private abstract class Echo extends Operation {

        final int length;
        private final FragmentAssembler handler = new FragmentAssembler((buffer, offset, bytes, header) -> {
            number = buffer.getLong(offset);
            received = bytes;
        });
        long sent;
        private long number;
        private int received;

        Echo(int length) {
            this.length = length;
        }

        final void awaitAnswer() {
            received = 0;
            do {
                if (replies.poll(handler, 1) == 0) {
                    Thread.onSpinWait();
                }
            } while (received == 0);
            if (number != sent || received != length) {
                throw new IllegalStateException("wrong answer to call=" + sent + ": " + number + " length=" + received);
            }
        }
    }

    private final class Claimed extends Echo {

        private final BufferClaim claim = new BufferClaim();
        private final byte[] payload;

        Claimed(int length) {
            super(length);
            payload = new byte[length];
        }

        @Override
        public void call() {
            while (!AeronClient.sent(requests.tryClaim(length, claim))) {
                Thread.onSpinWait();
            }
            if (length > AeronSetup.MIN_BYTES) {
                claim.buffer().putBytes(claim.offset(), payload, 0, length);
            }
            claim.buffer().putLong(claim.offset(), ++sent);
            claim.commit();
            awaitAnswer();
        }
    }

    private final class Offered extends Echo {

        private final UnsafeBuffer payload;

        Offered(int length) {
            super(length);
            payload = new UnsafeBuffer(new byte[length]);
        }

        @Override
        public void call() {
            payload.putLong(0, ++sent);
            while (!AeronClient.sent(requests.offer(payload, 0, length))) {
                Thread.onSpinWait();
            }
            awaitAnswer();
        }
    }

    private final class AeronPipeline implements Pipeline {

        private long sent;
        private long answered;
        private final BufferClaim claim = new BufferClaim();
        private final FragmentAssembler handler = new FragmentAssembler((buffer, offset, bytes, header) -> {
            if (buffer.getLong(offset) != answered) {
                throw new IllegalStateException("wrong answer to call=" + answered);
            }
            answered++;
        });

        @Override
        public long run(int window, long endNs) {
            long before = answered;
            boolean open = true;
            while (open || answered < sent) {
                while (open && sent - answered < window
                        && AeronClient.sent(requests.tryClaim(Long.BYTES, claim))) {
                    claim.buffer().putLong(claim.offset(), sent++);
                    claim.commit();
                }
                if (replies.poll(handler, FRAGMENT_LIMIT) == 0) {
                    Thread.onSpinWait();
                }
                open = open && System.nanoTime() < endNs;
            }
            return answered - before;
        }
    }
}
