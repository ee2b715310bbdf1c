package org.jvrpc.watch.drift;

import java.util.SortedMap;
import java.util.TreeMap;
import org.jvrpc.verbs.QueuePairAttributes;

/**
 * What a QP was made with, as its own process knows it: Linux shows nobody else the timers and retries of a QP
 * ({@code rdma resource show qp} has its state and numbers alone). What a device chose for the connection, path MTU and
 * time-out among it, is not in there: such keys are not told.
 */
public final class QpConfiguration implements ConfigurationSource {

    private final String subject;
    private final QueuePairAttributes attributes;

    /** For a QP by the name of host/device/qp, or whatever it is known by. */
    public QpConfiguration(String subject, QueuePairAttributes attributes) {
        this.subject = subject;
        this.attributes = attributes;
    }

    @Override
    public Kind kind() {
        return Kind.QP;
    }

    @Override
    public String subject() {
        return subject;
    }

    @Override
    public SortedMap<String, Setting> read() {
        SortedMap<String, Setting> all = new TreeMap<>();
        all.put("sends", Setting.of(Integer.toString(attributes.maxSendWr())));
        all.put("receives", Setting.of(Integer.toString(attributes.maxReceiveWr())));
        all.put("send-sges", Setting.of(Integer.toString(attributes.maxSendSge())));
        all.put("receive-sges", Setting.of(Integer.toString(attributes.maxReceiveSge())));
        all.put("inline", Setting.of(Integer.toString(attributes.maxInline())));
        all.put("rnr-retries", Setting.of(Integer.toString(attributes.rnrRetry())));
        all.put("min-rnr-timer", Setting.of(attributes.minRnrTimerNs() + "ns"));
        return all;
    }
}
