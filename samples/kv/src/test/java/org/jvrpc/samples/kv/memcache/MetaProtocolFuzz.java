package org.jvrpc.samples.kv.memcache;

/**
 * Any bytes behind the first letter of a meta command: see {@link TwinSessions}. The first byte says how long the
 * pieces are.
 */
public final class MetaProtocolFuzz {

    private static TwinSessions twins;

    private MetaProtocolFuzz() {
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
        input[1] = 'm';
        twins.give(input, 1, 1 + (input[0] & 63));
    }
}
