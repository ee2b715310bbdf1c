package org.jvrpc.benchmarks.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

final class WorkloadTest {

    @Test
    void shouldReadWhatItWrites() {
        assertEquals(Workload.NULL, Workload.parse(Workload.NULL.toString()));
        assertEquals(Workload.RECORD, Workload.parse(Workload.RECORD.toString()));
        assertEquals(Workload.echo(65536), Workload.parse(Workload.echo(65536).toString()));
        assertEquals(Workload.lookup(3), Workload.parse(Workload.lookup(3).toString()));
        assertThrows(IllegalArgumentException.class, () -> Workload.parse("ech:1"));
    }
}
