package org.jvrpc.ibverbs.rxe;

import java.nio.ByteBuffer;
import java.util.Objects;
import org.jvrpc.ibverbs.binding.Ibv;
import org.jvrpc.ibverbs.core.LkeyTable;
import org.jvrpc.ibverbs.core.SendRules;
import org.jvrpc.ibverbs.core.WcReader;
import org.jvrpc.verbs.Destination;
import org.jvrpc.verbs.PostSend;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.VerbsException;

/**
 * Send WQEs kept as the longs that they have in the ring; {@link #execute} copies them there and rings the doorbell.
 * One thread.
 */
final class RxePostSend implements PostSend {

    private static final long LOW = 0xffffffffL;
    private static final int W_SGES = RxeSendWqe.W_SGES;

    private final RxeQueuePair qp;
    private final RxeSendQueue queue;
    private final LkeyTable keys;
    private final SendRequest.Opcode[] opcodes;
    private final long[] wrIds;
    private final int[] starts;
    private final int[] sgeCounts;
    /** How many words of the remote address and behind it each opcode has. */
    private final int[] remotes;
    private final long[] words;
    private final long[] bases;
    /** Views of the memory of inline requests' SGEs; null for requests that are not inline. */
    private final InlineSource[][] inline;
    private final long maxDatagram;
    /** The version of the keys by which the SGEs of a request were found to be memory of the domain; null if not. */
    private final Object[] known;
    private boolean freed;

    RxePostSend(RxeQueuePair qp, RxeSendQueue queue, LkeyTable keys, SendRequest[] requests) {
        this.qp = qp;
        this.maxDatagram = qp.isDatagram() ? qp.driver().maxDatagramBytes() : Long.MAX_VALUE;
        this.queue = queue;
        this.keys = keys;
        int count = requests.length;
        if (count == 0 || count > queue.capacity()) {
            throw new VerbsException("post_send", "requests=" + count + " queue=" + queue.capacity());
        }
        this.opcodes = new SendRequest.Opcode[count];
        this.wrIds = new long[count];
        this.starts = new int[count];
        this.sgeCounts = new int[count];
        this.remotes = new int[count];
        this.inline = new InlineSource[count][];
        this.known = new Object[count];
        int end = 0;
        for (int wr = 0; wr < count; wr++) {
            SendRules.check(requests[wr], qp.attributes(), qp.number());
            checkDatagram(SendRules.bytes(requests[wr]));
            starts[wr] = end;
            end += W_SGES + 2 * requests[wr].sges().size();
        }
        this.words = new long[end];
        this.bases = new long[end];
        for (int wr = 0; wr < count; wr++) {
            encode(wr, requests[wr]);
        }
    }

    /** rxe sends nothing of a datagram that no packet carries, and says that it did. */
    private void checkDatagram(long bytes) {
        if (bytes > maxDatagram) {
            throw new VerbsException("post_send", "datagram bytes=" + bytes + " are more than a packet of the path"
                    + " carries, limit=" + maxDatagram);
        }
    }

    private void encode(int wr, SendRequest request) {
        SendRequest.Opcode opcode = request.opcode();
        opcodes[wr] = opcode;
        wrIds[wr] = request.wrId();
        int count = request.sges().size();
        sgeCounts[wr] = count;
        remotes[wr] = opcode.isAtomic() ? 4 : opcode.isOneSided() || qp.isDatagram() ? 2 : 0;
        int start = starts[wr];
        words[start + RxeSendWqe.W_OPCODE] = RxeSendWqe.pair(0, SendRules.code(opcode));
        words[start + RxeSendWqe.W_FLAGS] = SendRules.flags(request);
        words[start + RxeSendWqe.W_LENGTH] = (long) count << 32;
        if (opcode.hasImmediate()) {
            immediate(wr, request.immediate());
        }
        if (opcode.isOneSided()) {
            remoteAddress(wr, request.remoteAddress()).rkey(wr, request.rkey());
        }
        if (opcode.isAtomic()) {
            operands(wr, request.compare(), request.swapOrAdd());
        }
        if (qp.isDatagram()) {
            destination(wr, request.destination());
        }
        if (request.has(SendRequest.INLINE)) {
            inline[wr] = new InlineSource[count];
            for (int sge = 0; sge < count; sge++) {
                inline[wr][sge] = new InlineSource(keys);
            }
        }
        for (int sge = 0; sge < count; sge++) {
            Sge piece = request.sges().get(sge);
            address(wr, sge, piece.address()).length(wr, sge, piece.length()).lkey(wr, sge, piece.lkey());
        }
    }

    /** Returns where an SGE lies in the words. */
    private int data(int wr, int sge) {
        Objects.checkIndex(sge, sgeCounts[wr]);
        return starts[wr] + W_SGES + 2 * sge;
    }

    @Override
    public PostSend wrId(int wr, long wrId) {
        wrIds[wr] = wrId;
        return this;
    }

    @Override
    public PostSend signalled(int wr, boolean signalled) {
        int word = starts[wr] + RxeSendWqe.W_FLAGS;
        words[word] = signalled ? words[word] | Ibv.SEND_SIGNALED : words[word] & ~(long) Ibv.SEND_SIGNALED;
        return this;
    }

    @Override
    public PostSend immediate(int wr, int immediate) {
        SendRules.require(opcodes[wr].hasImmediate(), opcodes[wr], "immediate data");
        int word = starts[wr] + RxeSendWqe.W_FLAGS;
        words[word] = RxeSendWqe.pair((int) words[word], WcReader.fromNetwork(immediate));
        return this;
    }

    @Override
    public PostSend address(int wr, int sge, long address) {
        bases[data(wr, sge)] = address;
        return offset(wr, sge, 0);
    }

    @Override
    public PostSend offset(int wr, int sge, long offset) {
        int word = data(wr, sge);
        words[word] = bases[word] + offset;
        known[wr] = null;
        return this;
    }

    @Override
    public PostSend length(int wr, int sge, int length) {
        int word = data(wr, sge) + 1;
        if (length < 0) {
            throw new IllegalArgumentException("length must not be negative, length=" + length);
        }
        int total = starts[wr] + RxeSendWqe.W_LENGTH;
        long sum = (words[total] & LOW) - (words[word] & LOW) + length;
        words[total] = words[total] & ~LOW | sum & LOW;
        words[word] = words[word] & ~LOW | length;
        known[wr] = null;
        return this;
    }

    @Override
    public PostSend lkey(int wr, int sge, int lkey) {
        int word = data(wr, sge) + 1;
        words[word] = RxeSendWqe.pair((int) words[word], lkey);
        known[wr] = null;
        return this;
    }

    @Override
    public PostSend remoteAddress(int wr, long address) {
        SendRules.require(opcodes[wr].isOneSided(), opcodes[wr], "remote address");
        words[starts[wr] + RxeSendWqe.W_REMOTE] = address;
        words[starts[wr] + RxeSendWqe.W_IOVA] = address;
        return this;
    }

    @Override
    public PostSend rkey(int wr, int rkey) {
        SendRules.require(opcodes[wr].isOneSided(), opcodes[wr], "rkey");
        words[starts[wr] + (opcodes[wr].isAtomic() ? RxeSendWqe.W_ATOMIC_RKEY : RxeSendWqe.W_SECOND)] = rkey & LOW;
        return this;
    }

    @Override
    public PostSend operands(int wr, long compare, long swapOrAdd) {
        SendRules.require(opcodes[wr].isAtomic(), opcodes[wr], "operands");
        boolean add = opcodes[wr] == SendRequest.Opcode.FETCH_ADD;
        words[starts[wr] + RxeSendWqe.W_SECOND] = add ? swapOrAdd : compare;
        words[starts[wr] + RxeSendWqe.W_SWAP] = swapOrAdd;
        return this;
    }

    @Override
    public PostSend destination(int wr, Destination destination) {
        SendRules.require(qp.isDatagram(), opcodes[wr], "destination on an RC QP");
        if (!(destination.handle() instanceof RxeAddressHandle handle)) {
            throw new VerbsException("post_send", "address handle is of another device: " + destination);
        }
        words[starts[wr] + RxeSendWqe.W_REMOTE] = RxeSendWqe.pair(destination.qpNumber(), destination.qkey());
        words[starts[wr] + RxeSendWqe.W_SECOND] = RxeSendWqe.pair(0, handle.number());
        return this;
    }

    private void checkExecutable() {
        if (freed || !qp.maySend()) {
            throw new IllegalStateException(
                    "post_send: freed=" + freed + " qp=" + qp.number() + " state=" + qp.describeState());
        }
    }

    /** The kernel sends, and says later how it went. */
    @Override
    public boolean push(long first, long second, int length) {
        checkExecutable();
        return false;
    }

    @Override
    public int execute() {
        checkExecutable();
        int wr = 0;
        try {
            while (wr < wrIds.length && queue.hasRoom()) {
                post(wr);
                wr++;
            }
        } catch (RuntimeException e) {
            queue.rollBack(); // a list is posted whole or not at all when one of it makes no sense
            throw e;
        }
        if (wr > 0 && !queue.ring()) {
            throw qp.driver().commands().refused("post_send", "qp number=" + qp.number());
        }
        return wr;
    }

    private void post(int wr) {
        int start = starts[wr];
        if (maxDatagram != Long.MAX_VALUE) {
            checkDatagram(words[start + RxeSendWqe.W_LENGTH] & LOW);
        }
        if (inline[wr] == null) {
            if (known[wr] != keys.version()) {
                check(wr);
            }
            int at = queue.write(wrIds[wr], words, start, remotes[wr]);
            RxeSendWqe.writeSges(queue.memory(), at, words, start, sgeCounts[wr]);
        } else {
            postInline(wr, start);
        }
    }

    /** Has a request that will fail held back until those before it are done with. */
    private void check(int wr) {
        Object version = keys.version();
        for (int sge = 0; sge < sgeCounts[wr]; sge++) {
            int word = starts[wr] + W_SGES + 2 * sge;
            int length = (int) words[word + 1];
            if (length != 0 && keys.find(words[word], (int) (words[word + 1] >>> 32), length) == null) {
                if (qp.driver() != null && queue.hold()) {
                    ((RxeCompletionQueue) qp.attributes().sendCq()).held(qp);
                }
                return;
            }
        }
        known[wr] = version;
    }

    private void postInline(int wr, int start) {
        InlineSource[] sources = inline[wr];
        SendRules.checkInline(words[start + RxeSendWqe.W_LENGTH] & LOW, qp.attributes());
        for (int sge = 0; sge < sources.length; sge++) {
            int word = start + W_SGES + 2 * sge;
            sources[sge].look(words[word], (int) (words[word + 1] >>> 32), (int) words[word + 1]);
        }
        int at = queue.write(wrIds[wr], words, start, remotes[wr]) + RxeSendWqe.DATA;
        ByteBuffer memory = queue.memory();
        for (InlineSource source : sources) {
            at = source.copy(memory, at);
        }
    }

    @Override
    public int size() {
        return wrIds.length;
    }

    @Override
    public boolean valid() {
        return !freed && !qp.isClosed();
    }

    @Override
    public void free() {
        freed = true;
    }
}
