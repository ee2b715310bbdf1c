package org.jvrpc.watch.drift;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.Devices;
import org.jvrpc.verbs.QueuePairAttributes;

/** A QP of this process, beside what is wanted of it. */
class QpConfigurationTest {

    @Test
    void aQpThatWasMadeOtherwiseIsNamed() throws DesiredException {
        Desired desired = Desired.parse("wanted", """
                hosts:
                  match: h1
                  qp: {sends: 128, rnr-retries: 7, min-rnr-timer: 10us, timeout: 67ms}
                """);
        try (Device device = Devices.open("shm://drift-qp");
                CompletionQueue cq = device.createCq(CompletionQueueAttributes.ofDepth(16))) {
            QueuePairAttributes attributes = new QueuePairAttributes(cq, cq).depth(64, 64).rnr(7, 10_000);
            Drift drift = Differ.look(desired, List.of(new QpConfiguration("h1/shm/qp", attributes)),
                    new Sightings(), 1);
            assertEquals(List.of("sends 128 64"), drift.differences().stream()
                    .map(one -> one.key() + " " + one.desired() + " " + one.found()).toList());
            assertEquals(List.of("timeout"), drift.unreadable().stream().map(Drift.Unreadable::key).toList());
            assertEquals(2, drift.same());
        }
    }
}
