package org.jvrpc.runtime.counters;

/**
 * The layout of a file of counters, version 2. Everything is little-endian and lies at a multiple of its size.
 *
 * <pre>
 * file   | header (512 B) | block | block | … up to USED, the rest reads as zero up to CAPACITY |
 *
 * header |  0 MAGIC     8 | 8 VERSION    4 | 12 header's bytes 4 | 16 PID        8 | 24 PROCESS    8 |
 *        | 32 START     8 | 40 USED      8 | 48 CAPACITY       8 | 56 LOST       8 | 64 NAME  4 + 252 |
 *
 * block  |  0 LENGTH    4 | 4 KIND       4 |  8 GENERATION     8 | 16 OWNER      4 | 20 LANE       4 |
 *        | 24 SINCE     8 | 32 …
 *   ENDPOINT 32 ROLE 4 (1 client, 2 server) | 40 gauges and counts, see below | 128 ADDRESS 4 + 380
 *   METHOD   32 SUCCEEDED 8 | 40 BEGUN 8 | 48 BYTES_IN 8 | 56 BYTES_OUT 8 | 64 failures by status, 17 × 8 |
 *            200 THROWN 8 | 208 TOTAL_NS 8 | 216 SERVICE 4 + 180 | 400 METHOD 4 + 108 |
 *            512 histogram, see {@link LatencyBuckets}
 *   SESSION  32 RETURNED 8 | 40 BEGUN 8 | 48 BYTES_IN 8 | 56 BYTES_OUT 8 | 64 SESSION_ID 8 | 72 FAILED 8 |
 *            80 SLOTS 8 | 88 CREDITS 8 | 96 WAITS 8 | 104 SLEEPS 8 | 112 PEER 4 + 76
 * </pre>
 * A text is its length in bytes and UTF-8. {@code PROCESS} is {@code org.jvrpc.verbs.host.ProcessId}'s word,
 * {@code START} and {@code SINCE} are milliseconds since 1970. {@code USED} is stored by a release once the block below
 * it has its length. A block stays what it is for as long as its {@code GENERATION} is the same and even; it is odd
 * while the block is free, to be used again for one of its length, or written. {@code OWNER} is the number of the
 * endpoint that it belongs to, which no other has in this file; an endpoint has its own there. Blocks of one method and
 * owner add up: each lane has one writer at a time, whose plain stores need no atomic step. Failures may have several
 * writers, which add atomically. What changes at each call lies in a block's first 64 bytes, which are one cache line.
 *
 * <p>A session with a lane has its methods count for it: its first four counters are what is to be added to the sums of
 * the lane's, less than zero where others had the lane before. {@code LANE} is {@link #NO_LANE} where it counts itself.
 *
 * <p>Latencies are those of one call in {@link #SAMPLED_OF} by memory of one host, behind a method's first so many
 * calls; a sample counts that many times. Elsewhere they are those of all calls.
 */
public final class CounterLayout {

    /** {@code JVRPCCNT}. */
    public static final long MAGIC = 0x544e_4343_5052_564aL;
    /** Of this layout; readers take no other. */
    public static final int VERSION = 2;
    /** Of so many calls by memory of one host one is timed; a power of two. */
    public static final int SAMPLED_OF = 64;

    public static final int HEADER_BYTES = 512;
    public static final int VERSION_AT = 8;
    public static final int HEADER_BYTES_AT = 12;
    public static final int PID = 16;
    public static final int PROCESS = 24;
    public static final int START = 32;
    public static final int USED = 40;
    public static final int CAPACITY = 48;
    /** How many blocks found no room. */
    public static final int LOST = 56;
    public static final int NAME = 64;
    public static final int NAME_BYTES = 252;

    // ---- every block

    public static final int LENGTH = 0;
    public static final int KIND = 4;
    public static final int GENERATION = 8;
    public static final int OWNER = 16;
    public static final int LANE = 20;
    public static final int SINCE = 24;
    /** In the place of a lane, where there is none. */
    public static final int NO_LANE = -1;
    /** Of methods and of sessions: calls that returned, calls that began, and the bytes of bodies. */
    public static final int SUCCEEDED = 32;
    public static final int BEGUN = 40;
    public static final int BYTES_IN = 48;
    public static final int BYTES_OUT = 56;
    /** Where counters begin, which are zero in a new block. */
    public static final int COUNTERS = 32;
    public static final int BLOCK_ALIGNMENT = 64;

    public static final int ENDPOINT = 1;
    public static final int METHOD = 2;
    public static final int SESSION = 3;

    // ---- endpoints

    public static final int ENDPOINT_BYTES = 512;
    public static final int ROLE = 32;
    public static final int SESSIONS_OPENED = 40;
    public static final int RECONNECTS = 48;
    /** Calls that waited longer than for some polls. */
    public static final int ENDPOINT_WAITS = 56;
    /** How often threads of the endpoint went to sleep. */
    public static final int ENDPOINT_SLEEPS = 64;
    /** Calls that programs answered, at clients. */
    public static final int OFFLOADED = 72;
    /** Heavy calls that wait for the executor, at servers. */
    public static final int QUEUED = 80;
    public static final int CONNECTS_FAILED = 88;
    public static final int ADDRESS = 128;
    public static final int ADDRESS_BYTES = 380;

    // ---- methods

    /** By {@code Status.code()}; with OK those that returned, where several threads count. */
    public static final int FAILURES = 64;
    public static final int STATUSES = 17;
    /** Declared exceptions. */
    public static final int THROWN = FAILURES + STATUSES * Long.BYTES;
    public static final int TOTAL_NS = THROWN + Long.BYTES;
    public static final int SERVICE = TOTAL_NS + Long.BYTES;
    public static final int SERVICE_BYTES = 180;
    public static final int METHOD_NAME = 400;
    public static final int METHOD_NAME_BYTES = 108;
    public static final int HISTOGRAM = 512;
    public static final int METHOD_BYTES = HISTOGRAM + LatencyBuckets.COUNT * Long.BYTES;
    /** Of a block without a histogram. */
    public static final int BRIEF_METHOD_BYTES = HISTOGRAM;

    // ---- sessions

    public static final int SESSION_BYTES = 192;
    public static final int SESSION_ID = 64;
    public static final int FAILED = 72;
    public static final int SLOTS = 80;
    public static final int CREDITS = 88;
    public static final int SESSION_WAITS = 96;
    public static final int SESSION_SLEEPS = 104;
    public static final int PEER = 112;
    public static final int PEER_BYTES = 76;

    private CounterLayout() {
    }
}
