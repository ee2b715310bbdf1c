package org.jvrpc.runtime.client;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.jvrpc.api.Status;
import org.jvrpc.api.stub.MethodDescriptor;
import org.jvrpc.api.stub.ResultReader;
import org.jvrpc.runtime.contract.CallsService;
import org.jvrpc.runtime.session.Parts;
import org.jvrpc.runtime.session.RpcHeader;

/** A session with callbacks whose server is the test; one thread. */
abstract class CallbackRig {

    static final ResultReader.OfInt SIZE = (in, thrown) -> in.remaining();

    final StillClient client = new StillClient();
    final StillClient.Peer peer = new StillClient.Peer();
    final ClientSession session = client.packing(peer);
    final List<String> heard = new ArrayList<>();
    Runnable inCallback = () -> { };

    @AfterEach
    final void close() {
        session.end();
        session.link().close();
        client.close();
    }

    ClientSlot write(MethodDescriptor method, int bytes) {
        ClientSlot slot = session.tryClaim();
        slot.begin(StillClient.CALLS, method, method.index(), null, client.time.nowNs + StillClient.DEADLINE_NS);
        for (int i = 0; i < bytes; i++) {
            slot.arguments().writeByte((byte) 7);
        }
        return slot;
    }

    void start(String name) {
        start(name, 1);
    }

    void start(String name, int bytes) {
        write(CallsService.ECHO, bytes).invokeCallbackInt(SIZE, (size, failure) -> {
            heard.add(name + " " + (failure == null ? size : failure.getMessage()));
            inCallback.run();
        });
    }

    void answer(int sent) {
        peer.answers(callIds().get(sent), Status.OK, new byte[sent + 1]);
    }

    /** Returns the numbers of all calls that were sent. */
    List<Integer> callIds() {
        List<Integer> all = new ArrayList<>();
        peer.sent.forEach(message -> all.addAll(callIds(message)));
        return all;
    }

    static List<Integer> callIds(StillClient.Sent message) {
        List<Integer> all = new ArrayList<>();
        Parts parts = new Parts();
        byte[] whole = new byte[RpcHeader.BYTES + message.bytes().length];
        System.arraycopy(message.bytes(), 0, whole, RpcHeader.BYTES, message.bytes().length);
        parts.begin(RpcHeader.first(message.kind(), message.flags(), message.method(), message.callId()),
                RpcHeader.second(message.bodyLength(), 0, 0), ByteBuffer.wrap(whole), 0, whole.length);
        while (true) {
            assertTrue(parts.isOneOfSeveral(RpcHeader.REQUEST), parts::describe);
            all.add(RpcHeader.callId(parts.first()));
            if (!parts.isFollowed()) {
                return all;
            }
            parts.next();
        }
    }

    boolean poll() {
        return client.core.poll();
    }

    /** Has runs of callbacks be quick, which the next one knows. */
    void letThemPack() {
        start("first");
        answer(0);
        poll();
        heard.clear();
        peer.sent.clear();
    }

    /** Makes calls in a callback. */
    void inOne(Runnable calls) {
        start("one");
        inCallback = () -> {
            inCallback = () -> { };
            calls.run();
        };
        answer(peer.sent.size() - 1);
        peer.sent.clear();
        poll();
    }

    int freeSlots() {
        return (int) Arrays.stream(session.attendance().slots().all())
                .filter(slot -> slot.state() == ClientSlot.FREE).count();
    }
}
