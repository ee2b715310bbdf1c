package org.jvrpc.router.ctl;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.jvrpc.router.Quota;
import org.jvrpc.router.QuotaKind;
import org.jvrpc.router.RouterStatus;
import org.jvrpc.router.Spin;
import org.jvrpc.router.TenantId;
import org.jvrpc.router.VirtualAddress;

class StatusTextTest {

    private static final Quota QUOTA = new Quota(2, 16, 16, 8, 256L << 20, 4, 2, 0, 0, 1000, 3);
    private static final RouterStatus STATUS = new RouterStatus("h1", 77, Spin.ADAPTIVE, true, false, 9, 120, null, 1,
            2, 0, 1, List.of(
                    new RouterStatus.OfTenant(new TenantId("red"), 70001,
                            List.of(new VirtualAddress("10.77.0.5"), new VirtualAddress("10.77.0.6")), false, null,
                            Map.of(QuotaKind.DEVICES, 1L, QuotaKind.QPS, 3L, QuotaKind.BYTES, 1_200_000L), QUOTA,
                            5L << 30, 1000, 1536, 12, 4),
                    new RouterStatus.OfTenant(new TenantId("blue"), 70002, List.of(), false,
                            "FOLDER: \"b\" has mode=0777", Map.of(), QUOTA, 0, 0, 0, 0, 0)));

    @Test
    void aTableHasALineATenant() {
        assertEquals("""
                host h1, process 77, serving, spin adaptive (awake)
                control plane: epoch 9, answered 120 ms ago
                devices 1, connections 2, connecting 0, listeners 1
                TENANT  USER   ADDRESS              DEVICES   QPS  REGIONS         MEMORY  CONNECTIONS  LISTENERS  \
                MOVED  BYTES/S  WQES/S  REFUSED  STATE
                red     70001  10.77.0.5,10.77.0.6      1/2  3/16      0/8  1.1MiB/256MiB          0/4        0/2   \
                5GiB   1.5KiB      12        4  served
                blue    70002  -                        0/2  0/16      0/8      0B/256MiB          0/4        0/2     \
                0B       0B       0        0  FOLDER: "b" has mode=0777
                """, StatusText.table(STATUS));
    }

    @Test
    void programsGetTheSameAsJson() {
        String limits = "{\"devices\":2,\"qps\":16,\"cqs\":16,\"regions\":8,\"bytes\":268435456,\"connections\":4,"
                + "\"listeners\":2,\"half_open\":64,\"slabs\":1024,\"bytesPerSecond\":0,\"wqesPerSecond\":0,"
                + "\"offloadWqesPerSecond\":1000,\"weight\":3}";
        assertEquals("{\"host\":\"h1\",\"pid\":77,\"spin\":\"adaptive\",\"awake\":true,\"draining\":false,\"epoch\":9,"
                + "\"confirmedMs\":120,\"trouble\":null,\"devices\":1,\"connections\":2,\"connecting\":0,"
                + "\"listeners\":1,\"tenants\":[\n"
                + "{\"name\":\"red\",\"user\":70001,\"addresses\":[\"10.77.0.5\",\"10.77.0.6\"],\"revoked\":false,"
                + "\"unserved\":null,\"has\":{\"devices\":1,\"qps\":3,\"cqs\":0,\"regions\":0,\"bytes\":1200000,"
                + "\"connections\":0,\"listeners\":0,\"half_open\":0,\"slabs\":0},\"limits\":" + limits
                + ",\"bytes\":5368709120,\"wqes\":1000,\"bytesPerSecond\":1536,\"wqesPerSecond\":12,\"refused\":4},\n"
                + "{\"name\":\"blue\",\"user\":70002,\"addresses\":[],\"revoked\":false,"
                + "\"unserved\":\"FOLDER: \\\"b\\\" has mode=0777\",\"has\":{\"devices\":0,\"qps\":0,\"cqs\":0,"
                + "\"regions\":0,\"bytes\":0,\"connections\":0,\"listeners\":0,\"half_open\":0,\"slabs\":0},\"limits\":"
                + limits + ",\"bytes\":0,\"wqes\":0,\"bytesPerSecond\":0,\"wqesPerSecond\":0,\"refused\":0}\n]}\n",
                StatusText.json(STATUS));
    }
}
