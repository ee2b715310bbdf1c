package org.jvrpc.hdfs;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.jvrpc.runtime.IdleStrategy;

/** The plugin's properties. Immutable; any thread. */
final class HdfsSettings {

    /**
     * The jvRPC addresses that belong to a NameNode's RPC address, best first, separated by commas; see
     * {@link AddressTemplate}. Servers and clients must have the same.
     */
    static final String ADDRESS = "jvrpc.hdfs.address";
    static final String ADDRESS_DEFAULT = "shm://hdfs-{port},rdma://{host}:{port}";

    /** Whether Hadoop's own transport is used where jvRPC cannot be; else that is an error. */
    static final String FALLBACK = "jvrpc.hdfs.fallback";

    /** Whether the NameNode answers light methods on its poller; else all go through the call queue. */
    static final String LIGHT = "jvrpc.hdfs.light";

    /** How the threads of the plugin wait: an {@link IdleStrategy}. */
    static final String IDLE = "jvrpc.hdfs.idle";

    /** Calls that a client process has under way at one NameNode at most, 1 to 4096; others wait for one to end. */
    static final String SLOTS = "jvrpc.hdfs.slots";
    static final int SLOTS_DEFAULT = 256;

    /** Logins that an address of a NameNode keeps at most, 16 to 2^24; those not used longest are forgotten. */
    static final String MAX_LOGINS = "jvrpc.hdfs.logins.max";
    static final int MAX_LOGINS_DEFAULT = 1 << 16;

    /** Milliseconds for which a login is valid before rules and groups are looked at again, 1 and more. */
    static final String LOGIN_VALID_MS = "jvrpc.hdfs.login.valid.ms";
    static final int LOGIN_VALID_MS_DEFAULT = 10_000;

    /** Calls that wait for room in a NameNode's call queue at most, 0 to 2^20; others are told to come back. */
    static final String WAITING_CALLS = "jvrpc.hdfs.waiting.calls";
    static final int WAITING_CALLS_DEFAULT = 1024;

    /** Bytes of requests that wait for room in a NameNode's call queue at most; others are told to come back. */
    static final String WAITING_BYTES = "jvrpc.hdfs.waiting.bytes";
    static final long WAITING_BYTES_DEFAULT = 64L << 20;

    private final List<AddressTemplate> addresses = new ArrayList<>();
    private final boolean fallback;
    private final boolean light;
    private final IdleStrategy idle;
    private final int slots;
    private final int maxLogins;
    private final int loginValidMs;
    private final int waitingCalls;
    private final long waitingBytes;

    /** @throws IllegalArgumentException when a property is out of its range */
    HdfsSettings(Configuration conf) {
        for (String template : conf.get(ADDRESS, ADDRESS_DEFAULT).split(",")) {
            addresses.add(new AddressTemplate(template.trim()));
        }
        this.fallback = conf.getBoolean(FALLBACK, true);
        this.light = conf.getBoolean(LIGHT, true);
        this.idle = conf.getEnum(IDLE, IdleStrategy.ADAPTIVE);
        this.slots = (int) inRange(SLOTS, conf.getInt(SLOTS, SLOTS_DEFAULT), 1, 4096);
        this.maxLogins = (int) inRange(MAX_LOGINS, conf.getInt(MAX_LOGINS, MAX_LOGINS_DEFAULT), 16, 1 << 24);
        this.loginValidMs = (int) inRange(
                LOGIN_VALID_MS, conf.getInt(LOGIN_VALID_MS, LOGIN_VALID_MS_DEFAULT), 1, Integer.MAX_VALUE);
        this.waitingCalls =
                (int) inRange(WAITING_CALLS, conf.getInt(WAITING_CALLS, WAITING_CALLS_DEFAULT), 0, 1 << 20);
        this.waitingBytes = inRange(
                WAITING_BYTES, conf.getLong(WAITING_BYTES, WAITING_BYTES_DEFAULT), 0, Long.MAX_VALUE);
    }

    private static long inRange(String name, long value, long low, long high) {
        if (value < low || value > high) {
            throw new IllegalArgumentException(name + "=" + value + " must be " + low + " to " + high);
        }
        return value;
    }

    /** Returns the templates, best first. @throws IOException when one of them makes no address */
    List<AddressTemplate> addresses() throws IOException {
        for (AddressTemplate address : addresses) {
            address.at("host", 1); // says what is wrong with a template that is seldom used, too
        }
        return addresses;
    }

    boolean fallback() {
        return fallback;
    }

    boolean light() {
        return light;
    }

    IdleStrategy idle() {
        return idle;
    }

    int slots() {
        return slots;
    }

    int maxLogins() {
        return maxLogins;
    }

    long loginValidNs() {
        return loginValidMs * 1_000_000L;
    }

    int waitingCalls() {
        return waitingCalls;
    }

    long waitingBytes() {
        return waitingBytes;
    }
}
