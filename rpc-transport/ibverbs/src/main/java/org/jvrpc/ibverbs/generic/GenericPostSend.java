package org.jvrpc.ibverbs.generic;

import java.util.Arrays;
import org.jvrpc.ibverbs.binding.Ibv;
import org.jvrpc.ibverbs.binding.WorkLayouts.SendWr;
import org.jvrpc.ibverbs.core.Errno;
import org.jvrpc.ibverbs.core.NativeException;
import org.jvrpc.ibverbs.core.SendRules;
import org.jvrpc.ibverbs.core.WcReader;
import org.jvrpc.verbs.Destination;
import org.jvrpc.verbs.PostSend;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.VerbsException;

/** Sends kept as a list of {@code struct ibv_send_wr}, patched in place and posted by one native call. One thread. */
final class GenericPostSend implements PostSend {

    /** Longer than a SEND takes and is acknowledged, emulated. */
    private static final long SETTLE_NS = 50_000_000;

    private final GenericQueuePair qp;
    private final Chain chain;
    private final SendRequest.Opcode[] opcodes;
    private final long[] wrIds;
    private final boolean[] inline;
    private final GenericAddressHandle[] handles;
    /** True when each execution has to look at SGEs. */
    private final boolean checked;
    private final boolean settles;
    /** The version of the keys by which all SGEs were found to be memory of the domain; null if not. */
    private Object known;
    private boolean freed;

    GenericPostSend(GenericQueuePair qp, SendRequest[] requests) {
        this.qp = qp;
        int count = requests.length;
        if (count == 0 || count > qp.sends().capacity()) {
            throw new VerbsException("post_send", "requests=" + count + " queue=" + qp.sends().capacity());
        }
        for (SendRequest request : requests) {
            SendRules.check(request, qp.attributes(), qp.number());
        }
        this.chain = Chain.ofSends(Arrays.stream(requests).map(SendRequest::sges).toList());
        this.opcodes = new SendRequest.Opcode[count];
        this.wrIds = new long[count];
        this.inline = new boolean[count];
        this.handles = new GenericAddressHandle[count];
        boolean look = qp.isDatagram();
        for (int wr = 0; wr < count; wr++) {
            encode(wr, requests[wr]);
            look |= inline[wr];
        }
        this.checked = look;
        this.settles = !qp.isDatagram() && qp.domain().context().isRxe();
    }

    private void encode(int wr, SendRequest request) {
        opcodes[wr] = request.opcode();
        wrIds[wr] = request.wrId();
        inline[wr] = request.has(SendRequest.INLINE);
        chain.memory().putInt(chain.at(wr) + SendWr.OPCODE, SendRules.code(request.opcode()));
        chain.memory().putInt(chain.at(wr) + SendWr.SEND_FLAGS, SendRules.flags(request));
        if (request.opcode().hasImmediate()) {
            immediate(wr, request.immediate());
        }
        if (request.opcode().isOneSided()) {
            remoteAddress(wr, request.remoteAddress()).rkey(wr, request.rkey());
        }
        if (request.opcode().isAtomic()) {
            operands(wr, request.compare(), request.swapOrAdd());
        }
        if (request.destination() != null) {
            destination(wr, request.destination());
        }
    }

    @Override
    public PostSend wrId(int wr, long wrId) {
        wrIds[wr] = wrId;
        return this;
    }

    @Override
    public PostSend signalled(int wr, boolean signalled) {
        int at = chain.at(wr) + SendWr.SEND_FLAGS;
        int flags = chain.memory().getInt(at);
        chain.memory().putInt(at, signalled ? flags | Ibv.SEND_SIGNALED : flags & ~Ibv.SEND_SIGNALED);
        return this;
    }

    @Override
    public PostSend immediate(int wr, int immediate) {
        SendRules.require(opcodes[wr].hasImmediate(), opcodes[wr], "immediate data");
        chain.memory().putInt(chain.at(wr) + SendWr.IMM_DATA, WcReader.fromNetwork(immediate));
        return this;
    }

    @Override
    public PostSend address(int wr, int sge, long address) {
        chain.address(wr, sge, address);
        known = null;
        return this;
    }

    @Override
    public PostSend offset(int wr, int sge, long offset) {
        chain.offset(wr, sge, offset);
        known = null;
        return this;
    }

    @Override
    public PostSend length(int wr, int sge, int length) {
        chain.length(wr, sge, length);
        known = null;
        return this;
    }

    @Override
    public PostSend lkey(int wr, int sge, int lkey) {
        chain.lkey(wr, sge, lkey);
        known = null;
        return this;
    }

    @Override
    public PostSend remoteAddress(int wr, long address) {
        SendRules.require(opcodes[wr].isOneSided(), opcodes[wr], "remote address");
        chain.memory().putLong(chain.at(wr) + SendWr.REMOTE_ADDR, address);
        return this;
    }

    @Override
    public PostSend rkey(int wr, int rkey) {
        SendRules.require(opcodes[wr].isOneSided(), opcodes[wr], "rkey");
        int field = opcodes[wr].isAtomic() ? SendWr.ATOMIC_RKEY : SendWr.RKEY;
        chain.memory().putInt(chain.at(wr) + field, rkey);
        return this;
    }

    @Override
    public PostSend operands(int wr, long compare, long swapOrAdd) {
        SendRules.require(opcodes[wr].isAtomic(), opcodes[wr], "operands");
        boolean swap = opcodes[wr] == SendRequest.Opcode.COMPARE_SWAP;
        chain.memory().putLong(chain.at(wr) + SendWr.COMPARE_ADD, swap ? compare : swapOrAdd);
        chain.memory().putLong(chain.at(wr) + SendWr.SWAP, swap ? swapOrAdd : 0);
        return this;
    }

    @Override
    public PostSend destination(int wr, Destination destination) {
        SendRules.require(qp.isDatagram(), opcodes[wr], "destination on an RC QP");
        if (!(destination.handle() instanceof GenericAddressHandle handle) || handle.domain() != qp.domain()) {
            throw new VerbsException("post_send", "address handle is of another domain or device: " + destination);
        }
        handles[wr] = handle;
        int at = chain.at(wr);
        chain.memory().putLong(at + SendWr.AH, handle.address());
        chain.memory().putInt(at + SendWr.REMOTE_QPN, destination.qpNumber());
        chain.memory().putInt(at + SendWr.REMOTE_QKEY, destination.qkey());
        return this;
    }

    /** Enters the gate, which the caller leaves. */
    private void enter() {
        if (freed || !qp.maySend() || !qp.gate().enter()) {
            throw new IllegalStateException(
                    "post_send: freed=" + freed + " qp=" + qp.number() + " state=" + qp.state());
        }
    }

    /** Sends go by the provider, which says later how it went. */
    @Override
    public boolean push(long first, long second, int length) {
        enter();
        qp.gate().leave();
        return false;
    }

    @Override
    public int execute() {
        enter();
        try {
            if (checked) {
                look();
            }
            int count = Math.min(chain.count(), qp.sends().room());
            if (count == 0) {
                return 0;
            }
            if (settles && known != qp.domain().keys().version()) {
                return postKnown(count);
            }
            return qp.isDatagram() ? postDatagrams(count) : post(0, count);
        } finally {
            qp.gate().leave();
        }
    }

    /** Looks at what the provider copies, or what the device would drop without a word. */
    private void look() {
        for (int wr = 0; wr < opcodes.length; wr++) {
            if (inline[wr] || qp.isDatagram()) {
                long total = 0;
                for (int sge = 0; sge < chain.sgeCount(wr); sge++) {
                    total += chain.lengthOf(wr, sge);
                    if (inline[wr]) {
                        expectKnown(wr, sge);
                    }
                }
                if (inline[wr]) {
                    SendRules.checkInline(total, qp.attributes());
                }
                if (qp.isDatagram() && total > qp.domain().context().port().mtuBytes()) {
                    throw new VerbsException("post_send", "datagram of bytes=" + total + " is longer than the path"
                            + " MTU=" + qp.domain().context().port().mtuBytes());
                }
            }
        }
    }

    private void expectKnown(int wr, int sge) {
        int length = chain.lengthOf(wr, sge);
        long address = chain.addressOf(wr, sge);
        if (length > 0 && qp.domain().keys().findForProcessor(address, chain.lkeyOf(wr, sge), length) == null) {
            throw new VerbsException("post_send", "inline data outside registered memory of its own: address=0x"
                    + Long.toHexString(address) + " length=" + length);
        }
    }

    private int postDatagrams(int count) {
        int entered = 0;
        try {
            while (entered < count) {
                if (!handles[entered].gate().enter()) {
                    throw new VerbsException("post_send", "address handle is closed, wr=" + entered);
                }
                entered++;
            }
            return post(0, count);
        } finally {
            for (int wr = 0; wr < entered; wr++) {
                handles[wr].gate().leave();
            }
        }
    }

    /**
     * Posts a request that will fail some time after those before it: rxe of Linux 6.1 drops the acknowledgements of
     * sends when one behind them fails. Its ring is libibverbs', so only completions say when it is done with them.
     */
    private int postKnown(int count) {
        Object version = qp.domain().keys().version();
        int wr = 0;
        while (wr < count && isKnown(wr)) {
            wr++;
        }
        if (wr == chain.count()) {
            known = version;
        }
        if (wr == count) {
            return post(0, count);
        }
        int accepted = wr == 0 ? 0 : post(0, wr);
        if (accepted < wr) {
            return accepted;
        }
        qp.sends().awaitNone(SETTLE_NS);
        return post(wr, count);
    }

    private boolean isKnown(int wr) {
        for (int sge = 0; sge < chain.sgeCount(wr); sge++) {
            int length = chain.lengthOf(wr, sge);
            if (length > 0
                    && qp.domain().keys().find(chain.addressOf(wr, sge), chain.lkeyOf(wr, sge), length) == null) {
                return false;
            }
        }
        return true;
    }

    /** Posts from one to before another, and returns how many from the first one on are accepted by now. */
    private int post(int from, int to) {
        WrIdRing ids = qp.sends();
        for (int wr = from; wr < to; wr++) {
            chain.id(wr, ids.stamp(wr - from, wrIds[wr]));
        }
        WrIdRing.publish();
        chain.cut(to);
        int error = qp.domain().context().ops().ibv_post_send(qp.address(), chain.address(from), chain.badAddress());
        chain.whole(to);
        int accepted = Math.max(from, chain.accepted(to, error));
        ids.advance(accepted - from);
        if (error != 0 && error != Errno.ENOMEM) {
            throw NativeException.of("post_send", error, "qp number=" + qp.number() + " wr=" + accepted
                    + " opcode=" + opcodes[accepted]);
        }
        return accepted;
    }

    @Override
    public int size() {
        return opcodes.length;
    }

    @Override
    public boolean valid() {
        return !freed && !qp.gate().isClosed();
    }

    @Override
    public void free() {
        freed = true;
    }
}
