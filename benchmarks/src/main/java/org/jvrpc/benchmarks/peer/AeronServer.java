package org.jvrpc.benchmarks.peer;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.FragmentAssembler;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.logbuffer.BufferClaim;
import io.aeron.logbuffer.FragmentHandler;
import java.nio.file.Path;
import org.agrona.DirectBuffer;
import org.jvrpc.benchmarks.harness.ServerEnd;

/** Sends every message back on the reply stream of its client. One spinning thread, which also runs the driver. */
public final class AeronServer implements ServerEnd {

    private static final int FRAGMENT_LIMIT = 32;
    private static final int IDLE_POLLS = 20_000;

    private volatile boolean running = true;
    private MediaDriver driver;
    private Aeron aeron;
    private long dutyMessages;
    private long dutyBytes;

    @Override
    public String start(Path directory, int clients) {
        String aeronDirectory = directory.resolve("aeron").toString();
        driver = AeronSetup.launchDriver(aeronDirectory);
        aeron = AeronSetup.connect(aeronDirectory, driver.sharedAgentInvoker());
        Subscription[] requests = new Subscription[clients];
        FragmentAssembler[] handlers = new FragmentAssembler[clients];
        for (int i = 0; i < clients; i++) {
            requests[i] = aeron.addSubscription(AeronSetup.CHANNEL, AeronSetup.requestStream(i));
            handlers[i] = new FragmentAssembler(
                    echo(aeron.addExclusivePublication(AeronSetup.CHANNEL, AeronSetup.replyStream(i))));
        }
        Thread thread = new Thread(() -> serve(requests, handlers), "aeron-echo");
        thread.setDaemon(true);
        thread.start();
        return aeronDirectory;
    }

    private void serve(Subscription[] requests, FragmentAssembler[] handlers) {
        int idle = 0;
        while (running) {
            int work = 0;
            for (int i = 0; i < requests.length; i++) {
                work += requests[i].poll(handlers[i], FRAGMENT_LIMIT);
            }
            if (work == 0) {
                idle++;
                Thread.onSpinWait();
            } else {
                idle = 0;
            }
            if (dutyMessages >= AeronSetup.DUTY_MESSAGES || dutyBytes >= AeronSetup.DUTY_BYTES || idle >= IDLE_POLLS) {
                runDriver();
                idle = 0;
            }
        }
    }

    private void runDriver() {
        driver.sharedAgentInvoker().invoke();
        aeron.conductorAgentInvoker().invoke();
        dutyMessages = 0;
        dutyBytes = 0;
    }

    private FragmentHandler echo(ExclusivePublication replies) {
        BufferClaim claim = new BufferClaim();
        return (buffer, offset, length, header) -> {
            while (!send(replies, claim, buffer, offset, length)) {
                runDriver();
            }
            dutyMessages++;
            dutyBytes += length;
        };
    }

    private static boolean send(ExclusivePublication replies, BufferClaim claim, DirectBuffer buffer, int offset,
            int length) {
        if (length > replies.maxPayloadLength()) {
            return checked(replies.offer(buffer, offset, length));
        }
        if (!checked(replies.tryClaim(length, claim))) {
            return false;
        }
        claim.putBytes(buffer, offset, length);
        claim.commit();
        return true;
    }

    private static boolean checked(long position) {
        if (position == Publication.CLOSED || position == Publication.MAX_POSITION_EXCEEDED) {
            throw new IllegalStateException("publication refuses: " + Publication.errorString(position));
        }
        return position > 0;
    }

    @Override
    public void close() {
        running = false;
    }
}
