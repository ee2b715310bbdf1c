package org.jvrpc.runtime.counters;

import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jvrpc.runtime.counters.EndpointCounters.Role;

/** Reads memory of {@link CounterLayout} while others write it. What makes no sense there is left out. Any thread. */
final class CounterReader {

    private final ByteBuffer memory;
    private final Map<Integer, Parts> parts = new LinkedHashMap<>();
    /** Blocks whose endpoint stands behind them in the file, where it was put into one that was free. */
    private final List<Runnable> later = new ArrayList<>();
    /** Sessions, behind all methods. */
    private final List<Runnable> last = new ArrayList<>();

    /** What belongs to an endpoint. */
    private static final class Parts {

        final Map<String, MethodSum> methods = new HashMap<>();
        final List<SessionCounters> sessions = new ArrayList<>();
        /** What the methods of a lane have of the first counters of its session. */
        final Map<Integer, long[]> lanes = new HashMap<>();
        final int number;
        final Role role;
        final String address;
        final long sinceMs;
        final long[] counts;

        Parts(int number, Role role, String address, long sinceMs, long[] counts) {
            this.number = number;
            this.role = role;
            this.address = address;
            this.sinceMs = sinceMs;
            this.counts = counts;
        }
    }

    CounterReader(ByteBuffer memory) {
        this.memory = memory;
    }

    ProcessCounters read() {
        int used = (int) Math.min(CounterMemory.getAcquire(memory, CounterLayout.USED), memory.capacity());
        for (int at = CounterLayout.HEADER_BYTES; at + CounterLayout.BLOCK_ALIGNMENT <= used;) {
            int length = CounterMemory.getInt(memory, at + CounterLayout.LENGTH);
            if (length < CounterLayout.BLOCK_ALIGNMENT || length % CounterLayout.BLOCK_ALIGNMENT != 0
                    || length > used - at) {
                throw new CounterFileException(CounterFileException.Reason.CUT,
                        "a block of counters at offset=" + at + " says length=" + length + ", used=" + used);
            }
            block(at, length);
            at += length;
        }
        later.forEach(Runnable::run);
        last.forEach(Runnable::run);
        return new ProcessCounters(CounterMemory.get(memory, CounterLayout.PID),
                Instant.ofEpochMilli(CounterMemory.get(memory, CounterLayout.START)),
                CounterMemory.text(memory, CounterLayout.NAME, CounterLayout.NAME_BYTES),
                parts.values().stream().map(CounterReader::endpoint).toList(),
                CounterMemory.get(memory, CounterLayout.LOST));
    }

    private void block(int at, int length) {
        long generation = CounterMemory.getAcquire(memory, at + CounterLayout.GENERATION);
        if ((generation & 1) != 0) {
            return;
        }
        int owner = CounterMemory.getInt(memory, at + CounterLayout.OWNER);
        int lane = CounterMemory.getInt(memory, at + CounterLayout.LANE);
        switch (CounterMemory.getInt(memory, at + CounterLayout.KIND)) {
            case CounterLayout.ENDPOINT -> endpoint(at, length, generation, owner);
            case CounterLayout.METHOD -> {
                MethodSum sum = length < CounterLayout.HISTOGRAM ? null : new MethodSum(memory, at, length);
                if (sum != null && isStill(at, generation)) {
                    later.add(() -> add(owner, lane, sum));
                }
            }
            case CounterLayout.SESSION -> {
                SessionParts session = length < CounterLayout.SESSION_BYTES ? null : session(at);
                if (session != null && isStill(at, generation)) {
                    last.add(() -> add(owner, lane, session));
                }
            }
            default -> { } // of a block that is just written, perhaps
        }
    }

    private boolean isStill(int at, long generation) {
        VarHandle.loadLoadFence(); // behind what was read of the block
        return CounterMemory.get(memory, at + CounterLayout.GENERATION) == generation;
    }

    private void endpoint(int at, int length, long generation, int number) {
        if (length < CounterLayout.ENDPOINT_BYTES) {
            return;
        }
        Parts found = new Parts(number,
                CounterMemory.getInt(memory, at + CounterLayout.ROLE) == 1 ? Role.CLIENT : Role.SERVER,
                CounterMemory.text(memory, at + CounterLayout.ADDRESS, CounterLayout.ADDRESS_BYTES),
                CounterMemory.get(memory, at + CounterLayout.SINCE), longs(at, CounterLayout.SESSIONS_OPENED, 7));
        if (isStill(at, generation)) {
            parts.put(number, found);
        }
    }

    private long[] longs(int at, int first, int count) {
        long[] values = new long[count];
        for (int i = 0; i < count; i++) {
            values[i] = CounterMemory.get(memory, at + first + i * Long.BYTES);
        }
        return values;
    }

    private void add(int owner, int lane, MethodSum sum) {
        Parts endpoint = parts.get(owner);
        if (endpoint != null) {
            sum.addTo(endpoint.lanes.computeIfAbsent(lane, none -> new long[SessionParts.OF_LANE]));
            endpoint.methods.merge(sum.key(), sum, MethodSum::plus);
        }
    }

    private void add(int owner, int lane, SessionParts session) {
        Parts endpoint = parts.get(owner);
        if (endpoint != null) {
            endpoint.sessions.add(session.with(lane == CounterLayout.NO_LANE ? null : endpoint.lanes.get(lane)));
        }
    }

    private SessionParts session(int at) {
        return new SessionParts(longs(at, CounterLayout.SUCCEEDED, SessionParts.COUNTS),
                CounterMemory.text(memory, at + CounterLayout.PEER, CounterLayout.PEER_BYTES),
                Instant.ofEpochMilli(CounterMemory.get(memory, at + CounterLayout.SINCE)));
    }

    private static EndpointCounters endpoint(Parts found) {
        long[] counts = found.counts;
        return new EndpointCounters(found.number, found.role, found.address,
                Instant.ofEpochMilli(found.sinceMs),
                found.methods.values().stream().map(MethodSum::counters).sorted(MethodSum.ORDER).toList(),
                found.sessions.stream().sorted((a, b) -> Long.compare(a.id(), b.id())).toList(),
                counts[0], counts[1], counts[6], counts[2], counts[3], counts[4], counts[5]);
    }
}
