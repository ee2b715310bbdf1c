package org.jvrpc.samples.kv.memcache;

/**
 * Any bytes to a connection of the binary protocol: see {@link TwinSessions}. The first byte says how long the
 * pieces are.
 */
public final class BinaryProtocolFuzz {

    private static TwinSessions twins;

    private BinaryProtocolFuzz() {
    }

    public static void fuzzerInitialize() {
        twins = new TwinSessions();
    }

    public static void fuzzerTearDown() {
        twins.close();
    }

    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length < 2) {
            return;
        }
        input[1] = (byte) 0x80;
        twins.give(input, 1, 1 + (input[0] & 63));
    }
}
