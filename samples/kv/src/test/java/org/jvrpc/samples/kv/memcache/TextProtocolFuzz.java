package org.jvrpc.samples.kv.memcache;

/**
 * Any bytes to a connection of the text protocol: see {@link TwinSessions}. The first byte says how long the pieces
 * are.
 */
public final class TextProtocolFuzz {

    private static TwinSessions twins;

    private TextProtocolFuzz() {
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
        if ((input[1] & 0xff) == 0x80) {
            input[1] = 'g'; // else it would be the binary protocol
        }
        twins.give(input, 1, 1 + (input[0] & 63));
    }
}
