package org.jvrpc.benchmarks.stream;

import io.aeron.ExclusivePublication;
import io.aeron.Publication;
import io.aeron.logbuffer.BufferClaim;
import io.aeron.logbuffer.FragmentHandler;
import org.jvrpc.benchmarks.peer.AeronEnds;

/** Longs over Aeron's IPC: claimed, committed, polled; what ends them comes back. */
final class AeronStream {

    private static final int LOOK = 1 << 12;
    private static final int FRAGMENTS = 256;
    private static final long END = -1;

    private AeronStream() {
    }

    static String receive(String directory) {
        AeronEnds ends = AeronEnds.server(directory);
        Thread thread = new Thread(() -> run(ends));
        thread.setDaemon(true);
        thread.start();
        return directory;
    }

    private static void run(AeronEnds ends) {
        long[] seen = {0, 0};
        BufferClaim claim = new BufferClaim();
        FragmentHandler handler = (buffer, offset, length, header) -> {
            long value = buffer.getLong(offset);
            if (value == END) {
                seen[1] = 1;
            } else if (value != seen[0]++) {
                throw new IllegalStateException("wrong element: " + value);
            }
        };
        long duty = 0;
        while (true) {
            int count = ends.subscription().poll(handler, FRAGMENTS);
            if ((duty += count == 0 ? 64 : count) >= 512) {
                duty = 0;
                ends.invoke();
            }
            if (seen[1] != 0) {
                offer(ends.publication(), claim, seen[0]);
                seen[0] = 0;
                seen[1] = 0;
            }
        }
    }

    private static void offer(ExclusivePublication publication, BufferClaim claim, long value) {
        long position = publication.tryClaim(Long.BYTES, claim);
        while (position <= 0) {
            if (position == Publication.CLOSED || position == Publication.MAX_POSITION_EXCEEDED) {
                throw new IllegalStateException("publication refuses: " + Publication.errorString(position));
            }
            Thread.onSpinWait();
            position = publication.tryClaim(Long.BYTES, claim);
        }
        claim.buffer().putLong(claim.offset(), value);
        claim.commit();
    }

    static StreamEnd.Sender sender(String directory) {
        AeronEnds ends = AeronEnds.client(directory);
        BufferClaim claim = new BufferClaim();
        return durationNs -> {
            long endNs = System.nanoTime() + durationNs;
            for (long i = 0; i % LOOK != 0 || System.nanoTime() - endNs < 0; i++) {
                offer(ends.publication(), claim, i);
            }
            offer(ends.publication(), claim, END);
            long[] answer = {-1};
            while (answer[0] < 0) {
                ends.subscription().poll((buffer, offset, length, header) -> answer[0] = buffer.getLong(offset), 1);
            }
            return answer[0];
        };
    }
}
