package org.jvrpc.softrnic.proxy;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.CRC32;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.WorkCompletion;

/**
 * What a seed has one QP ask of another, and a record of what became of it: a line for each completion, with a checksum
 * of what it brought, and one of all memory. By verbs alone, so that any two devices may be the peers, also in two
 * processes: each side steps its half and prints its record. Records of equal seeds are equal, whatever was lost on the
 * way; what counters say is not part of them.
 *
 * <p>Memory: eight slots each for what is sent or read, what is written, what is received, and what is brought back;
 * then a word for atomics.
 */
public final class ConformanceTraffic {

    /** Bytes of a slot, which is the longest message. */
    public static final int SLOT = 16 << 10;
    /** Bytes that the memory of each side has. */
    public static final int MEMORY = 33 * SLOT;
    private static final int SLOTS = 8;
    private static final int WRITTEN = SLOTS * SLOT;
    private static final int RECEIVED = 2 * SLOTS * SLOT;
    private static final int RESULTS = 3 * SLOTS * SLOT;
    private static final int WORD = 4 * SLOTS * SLOT;
    /** WRs and receives under way. */
    private static final int DEPTH = 4;

    /** What a message is. */
    private enum Kind { SEND, SEND_IMM, WRITE, WRITE_IMM, READ, COMPARE_SWAP, FETCH_ADD }

    private record Message(Kind kind, int length, int immediate) {

        boolean takesReceive() {
            return kind == Kind.SEND || kind == Kind.SEND_IMM || kind == Kind.WRITE_IMM;
        }

        boolean isAtomic() {
            return kind == Kind.COMPARE_SWAP || kind == Kind.FETCH_ADD;
        }
    }

    private final List<Message> messages = new ArrayList<>();
    private final List<Message> received = new ArrayList<>();
    private final List<String> record = new ArrayList<>();
    private final WorkCompletion wc = new WorkCompletion();
    private final boolean asks;
    private final QueuePair qp;
    private final CompletionQueue cq;
    private final MemoryRegion mr;
    private final long remote;
    private final int rkey;
    private int posted;
    private int done;

    private ConformanceTraffic(boolean asks, long seed, int count, QueuePair qp, CompletionQueue cq, MemoryRegion mr,
            long remote, int rkey) {
        this.asks = asks;
        this.qp = qp;
        this.cq = cq;
        this.mr = mr;
        this.remote = remote;
        this.rkey = rkey;
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < count; i++) {
            Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
            int length = random.nextInt(3) == 0 ? random.nextInt(64) : random.nextInt(SLOT + 1);
            Message message = new Message(kind, kind.ordinal() >= Kind.COMPARE_SWAP.ordinal() ? Long.BYTES : length,
                    random.nextInt());
            messages.add(message);
            if (message.takesReceive()) {
                received.add(message);
            }
        }
        SplittableRandom bytes = new SplittableRandom(seed + (asks ? 1 : 2));
        for (int at = 0; at < MEMORY; at += Long.BYTES) {
            mr.buffer(at, Long.BYTES).putLong(0, at < WRITTEN ? bytes.nextLong() : 0);
        }
    }

    /** Returns the half that asks. @param remote where the memory of the other side begins, under its rkey */
    public static ConformanceTraffic requester(long seed, int count, QueuePair qp, CompletionQueue sends,
            MemoryRegion mr, long remote, int rkey) {
        return new ConformanceTraffic(true, seed, count, qp, sends, mr, remote, rkey);
    }

    /** Returns the half that is asked. */
    public static ConformanceTraffic responder(long seed, int count, QueuePair qp, CompletionQueue receives,
            MemoryRegion mr) {
        return new ConformanceTraffic(false, seed, count, qp, receives, mr, 0, 0);
    }

    /** Posts what may be posted and takes a completion that is there; true when all have come, or one failed. */
    public boolean step() {
        int all = asks ? messages.size() : received.size();
        while (posted < all && posted - done < DEPTH) {
            int accepted = asks ? qp.prepareSend(request(posted)).execute()
                    : qp.prepareReceive(ReceiveRequest.of(posted, sge(RECEIVED, posted, SLOT))).execute();
            if (accepted == 0) {
                break;
            }
            posted++;
        }
        if (done < all && cq.poll(wc)) {
            record.add(asks ? sent(messages.get(done)) : arrived());
            done = wc.succeeded() ? done + 1 : all;
        }
        return done >= all;
    }

    private Sge sge(int part, int number, int length) {
        return Sge.of(mr, part + number % SLOTS * (long) SLOT, length);
    }

    private SendRequest request(int number) {
        Message message = messages.get(number);
        Sge source = sge(0, number, message.length);
        Sge result = sge(RESULTS, number, message.length);
        long slot = number % SLOTS * (long) SLOT;
        SendRequest request = switch (message.kind) {
            case SEND -> SendRequest.send(number, source);
            case SEND_IMM -> SendRequest.sendWithImmediate(number, message.immediate, source);
            case WRITE -> SendRequest.write(number, remote + WRITTEN + slot, rkey, source);
            case WRITE_IMM -> SendRequest.writeWithImmediate(number, remote + WRITTEN + slot, rkey, message.immediate,
                    source);
            case READ -> SendRequest.read(number, remote + slot, rkey, result);
            case COMPARE_SWAP -> SendRequest.compareAndSwap(number, remote + WORD, rkey, number % 3, number % 5,
                    result);
            case FETCH_ADD -> SendRequest.fetchAndAdd(number, remote + WORD, rkey, 1, result);
        };
        return request.signalled();
    }

    private String sent(Message message) {
        boolean brings = wc.succeeded() && (message.kind == Kind.READ || message.isAtomic());
        return "wr " + wc.wrId() + " " + message.kind + " length=" + message.length + " " + wc.status()
                + (brings ? " brought=" + crc(RESULTS + done % SLOTS * SLOT, message.length) : "");
    }

    private String arrived() {
        if (!wc.succeeded()) {
            return "receive " + wc.wrId() + " " + wc.status();
        }
        boolean placed = received.get(done).kind != Kind.WRITE_IMM;
        return "receive " + wc.wrId() + " " + wc.opcode() + " length=" + wc.byteLength()
                + (wc.hasImmediate() ? " immediate=" + wc.immediate() : "")
                + (placed ? " bytes=" + crc(RECEIVED + done % SLOTS * SLOT, wc.byteLength()) : "");
    }

    private String crc(int at, int length) {
        byte[] bytes = new byte[length];
        if (length > 0) {
            mr.buffer(at, length).get(0, bytes);
        }
        CRC32 crc = new CRC32();
        crc.update(bytes);
        return Long.toHexString(crc.getValue());
    }

    /** Returns the lines, when all have come at both sides. */
    public List<String> record() {
        List<String> all = new ArrayList<>(record);
        all.add((asks ? "requester" : "responder") + " memory=" + crc(0, MEMORY));
        return all;
    }
}
