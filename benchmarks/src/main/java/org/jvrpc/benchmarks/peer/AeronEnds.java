package org.jvrpc.benchmarks.peer;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.AgentInvoker;

/** What one side of a stream over Aeron has, set up as for calls. One thread. */
public final class AeronEnds {

    private static final long CONNECT_LIMIT_NS = TimeUnit.SECONDS.toNanos(10);

    private final AgentInvoker driver;
    private final Aeron aeron;
    private final ExclusivePublication publication;
    private final Subscription subscription;

    private AeronEnds(AgentInvoker driver, Aeron aeron, int outStream, int inStream) {
        this.driver = driver;
        this.aeron = aeron;
        this.subscription = aeron.addSubscription(AeronSetup.CHANNEL, inStream);
        this.publication = aeron.addExclusivePublication(AeronSetup.CHANNEL, outStream);
    }

    /** Makes the side that has the driver. */
    public static AeronEnds server(String directory) {
        MediaDriver driver = AeronSetup.launchDriver(directory);
        return new AeronEnds(driver.sharedAgentInvoker(), AeronSetup.connect(directory, driver.sharedAgentInvoker()),
                AeronSetup.replyStream(0), AeronSetup.requestStream(0));
    }

    /** Makes the other side. */
    public static AeronEnds client(String directory) {
        AeronEnds ends = new AeronEnds(null, AeronSetup.connect(directory, null),
                AeronSetup.requestStream(0), AeronSetup.replyStream(0));
        long end = System.nanoTime() + CONNECT_LIMIT_NS;
        while (!ends.publication.isConnected() || !ends.subscription.isConnected()) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("no answer from the media driver in " + directory);
            }
            ends.invoke();
            Thread.yield();
        }
        return ends;
    }

    public ExclusivePublication publication() {
        return publication;
    }

    public Subscription subscription() {
        return subscription;
    }

    /** Does what the driver's and the client's threads would. */
    public void invoke() {
        if (driver != null) {
            driver.invoke();
        }
        aeron.conductorAgentInvoker().invoke();
    }
}
