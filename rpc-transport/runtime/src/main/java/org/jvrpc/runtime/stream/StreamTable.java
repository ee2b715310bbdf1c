package org.jvrpc.runtime.stream;

import java.util.Arrays;
import java.util.function.Consumer;
import org.jvrpc.api.RpcException;
import org.jvrpc.api.Status;

/** The open streams of a session, by number. Any thread. */
public final class StreamTable {

    /** How many may be open at a time. */
    public static final int MOST = 1024;
    private static final int INDEX = 0xffff;

    private volatile Stream[] streams = new Stream[8];
    private int[] generations = new int[8];
    private int count;

    /** Returns a stream, or null when there is none of that number. */
    Stream get(int number) {
        Stream[] now = streams;
        int index = number & INDEX;
        Stream stream = index < now.length ? now[index] : null;
        return stream != null && stream.id() == number ? stream : null;
    }

    public synchronized boolean isEmpty() {
        return count == 0;
    }

    /** Adds a stream that this side opens, under a number of its own. @throws RpcException RESOURCE_EXHAUSTED */
    public synchronized void add(Stream stream) {
        int index = 0;
        while (index < streams.length && streams[index] != null) {
            index++;
        }
        if (index >= MOST) {
            throw new RpcException(Status.RESOURCE_EXHAUSTED, "too many streams are open: " + count);
        }
        enlarge(index);
        generations[index] = generations[index] % 0x7fff + 1;
        put(stream, index, generations[index] << 16 | index);
    }

    /** Adds a stream that the peer opens; false when that number cannot be. */
    public synchronized boolean add(Stream stream, int number) {
        int index = number & INDEX;
        if (index >= MOST || number >>> 16 == 0) {
            return false;
        }
        enlarge(index);
        if (streams[index] != null) {
            return false;
        }
        put(stream, index, number);
        return true;
    }

    private void enlarge(int index) {
        if (index >= streams.length) {
            int length = Math.min(MOST, Math.max(index + 1, 2 * streams.length));
            generations = Arrays.copyOf(generations, length);
            streams = Arrays.copyOf(streams, length);
        }
    }

    private void put(Stream stream, int index, int number) {
        stream.id(number);
        Stream[] next = streams.clone();
        next[index] = stream;
        streams = next;
        count++;
    }

    /** Forgets a stream. Idempotent. */
    public synchronized void remove(Stream stream) {
        int index = stream.id() & INDEX;
        if (index < streams.length && streams[index] == stream) {
            streams[index] = null;
            count--;
            stream.letMessagesGo();
        }
    }

    /** Returns the stream in the place that a number names, or null. */
    public Stream inPlaceOf(int number) {
        Stream[] now = streams;
        int index = number & INDEX;
        return index < now.length ? now[index] : null;
    }

    /** Returns how many are open. */
    public synchronized int count() {
        return count;
    }

    /** Returns true when one of them has a deadline, or ends with another call. */
    boolean isTimed() {
        for (Stream stream : streams) {
            if (stream != null && (stream.endNs() != 0 || stream.above() != null)) {
                return true;
            }
        }
        return false;
    }

    public void forEach(Consumer<Stream> action) {
        for (Stream stream : streams) {
            if (stream != null) {
                action.accept(stream);
            }
        }
    }
}
