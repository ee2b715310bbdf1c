package org.jvrpc.ibverbs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.jvrpc.ibverbs.core.Gid;

/** Which host a GID is of. */
class GidTest {

    @ParameterizedTest
    @CsvSource({
        "::ffff:10.9.0.2,         10.9.0.2",
        "2001:db8::7,             2001:db8::7",
        "fe80::5054:ff:fe12:3456, fe80::5054:ff:fe12:3456", // InfiniBand's own
    })
    void aGidIsOneHosts(String gid, String host) throws UnknownHostException {
        assertEquals(InetAddress.getByName(host), new Gid(bytes(gid)).host());
    }

    /** Java turns mapped addresses into those of four bytes. */
    private static byte[] bytes(String gid) throws UnknownHostException {
        byte[] address = InetAddress.getByName(gid).getAddress();
        if (address.length == Gid.BYTES) {
            return address;
        }
        byte[] mapped = new byte[Gid.BYTES];
        mapped[10] = -1;
        mapped[11] = -1;
        System.arraycopy(address, 0, mapped, 12, 4);
        return mapped;
    }
}
