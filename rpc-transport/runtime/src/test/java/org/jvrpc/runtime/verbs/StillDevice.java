package org.jvrpc.runtime.verbs;

import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.function.Consumer;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.ConnectionRequest;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.Listener;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.PostReceive;
import org.jvrpc.verbs.PostSend;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.WcOpcode;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.WorkCompletion;

/** A device that does what a test has it do, of one QP at a time, and notes what it is asked. One thread. */
public final class StillDevice {

    static final long LONGEST_SEND_NS = 7_000_000_000L;
    static final long ADDRESS = 1L << 40;
    static final int LKEY = 77;

    /** A send that was posted. */
    record Posted(SendRequest.Opcode opcode, long wrId, boolean signalled, List<Sge> sges, long remote, int rkey) {

        int bytes() {
            return sges.stream().mapToInt(Sge::length).sum();
        }
    }

    /** Events, arming, wake-ups and ends, in their order. */
    final List<String> did = Collections.synchronizedList(new ArrayList<>());
    final List<Posted> posted = new ArrayList<>();
    /** The first number of each batch of receives that was posted. */
    final List<Long> receives = new ArrayList<>();
    final List<ReceiveRequest> prepared = new ArrayList<>();
    final Completions sends = new Completions("send");
    public final Completions received = new Completions("receive");
    /** So many more sends find room. */
    int room = Integer.MAX_VALUE;
    /** What is signalled is complete with the next look, as where a card is quick. */
    public boolean quick;
    public InetAddress peerHost;
    /** Done before somebody is told the host of the peer. */
    public Runnable whenHostAsked = () -> { };
    boolean connected = true;
    /** What may be pushed is; its header, length and address are noted here, or what of its body lies elsewhere. */
    boolean pushes;
    final List<List<Long>> pushed = new ArrayList<>();
    /** How many sends it heard were to follow. */
    int expected;
    /** What is not done. */
    String refused = "";
    /** Done before memory is allocated, and when it is given back. */
    Runnable whenAllocating = () -> { };
    Runnable whenFreeing = () -> { };
    /** Done before memory is looked at. */
    Runnable whenViewing = () -> { };
    /** Returns what somebody who connects meets. */
    public Call connecting = (name, arguments) -> connection();
    public byte[] privateData = new byte[0];
    /** Who wants to connect to its listener. */
    public final Queue<ConnectionRequest> requests = new ArrayDeque<>();
    public boolean lost;
    public String trouble;
    /** What happens in each wait of a channel. */
    public Runnable whenAwaiting = () -> { };
    /** What happens when a CQ was armed. */
    public Runnable whenArmed = () -> { };
    /** What happens when a channel is woken. */
    public Runnable whenWoken = () -> { };
    private MemoryRegion region;

    /** What an object does. */
    public interface Call {
        Object answer(String name, Object[] arguments);
    }

    static <T> T port(Class<T> type, Call call) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type},
                (proxy, method, arguments) -> {
                    Object answer = call.answer(method.getName(), arguments);
                    return answer == call ? proxy : answer;
                }));
    }

    private void refuse(String what) {
        if (what.equals(refused)) {
            throw new VerbsException("planted", what);
        }
    }

    private Object note(String what) {
        refuse(what);
        did.add(what);
        return null;
    }

    /** Returns what was done since this was asked last. */
    public List<String> did() {
        List<String> all = List.copyOf(did);
        did.clear();
        return all;
    }

    /** Returns how many times its peer was asked for a sign of life. */
    public long pings() {
        return posted.stream().filter(send -> send.opcode() == SendRequest.Opcode.RDMA_WRITE).count();
    }

    Device device() {
        return port(Device.class, (name, arguments) -> switch (name) {
            case "longestSendNs" -> LONGEST_SEND_NS;
            case "maxAnswerBytes" -> 100;
            case "name" -> "still";
            case "trouble" -> trouble;
            case "isLost" -> lost;
            case "allocatePd" -> domain();
            case "createChannel" -> channel();
            case "connect" -> {
                if (arguments[arguments.length - 1] instanceof Runnable meanwhile) {
                    meanwhile.run();
                }
                yield connecting.answer(name, arguments);
            }
            case "listen" -> listener((String) arguments[0]);
            case "close" -> note("close device");
            case "createCq" -> ((CompletionQueueAttributes) arguments[0]).payloadInPlace()
                    ? received.queue() : sends.queue();
            default -> throw new UnsupportedOperationException(name);
        });
    }

    ProtectionDomain domain() {
        return port(ProtectionDomain.class, (name, arguments) -> switch (name) {
            case "createQp" -> queuePair();
            case "allocate" -> region((long) arguments[0]);
            case "close" -> note("close domain");
            default -> throw new UnsupportedOperationException(name);
        });
    }

    /** Returns the memory that was allocated last. */
    MemoryRegion region() {
        return region;
    }

    private MemoryRegion region(long bytes) {
        whenAllocating.run();
        ByteBuffer memory = ByteBuffer.allocateDirect((int) bytes);
        region = port(MemoryRegion.class, (name, arguments) -> switch (name) {
            case "address" -> ADDRESS;
            case "lkey" -> LKEY;
            case "rkey" -> LKEY + 1;
            case "length" -> bytes;
            case "buffer" -> {
                whenViewing.run();
                yield memory.slice((int) (long) arguments[0], (int) arguments[1]).order(ByteOrder.LITTLE_ENDIAN);
            }
            case "close" -> {
                whenFreeing.run();
                yield note("close memory");
            }
            default -> throw new UnsupportedOperationException(name);
        });
        return region;
    }

    private EventChannel channel() {
        note("channel");
        return port(EventChannel.class, (name, arguments) -> switch (name) {
            case "await" -> {
                whenAwaiting.run();
                yield false;
            }
            case "wakeup" -> {
                note("wakeup");
                whenWoken.run();
                yield null;
            }
            case "notifies" -> false;
            default -> throw new UnsupportedOperationException(name);
        });
    }

    private Listener listener(String address) {
        note("listen " + address);
        return port(Listener.class, (name, arguments) -> switch (name) {
            case "address" -> address + ":1";
            case "poll" -> requests.poll();
            case "close" -> note("close listener");
            default -> throw new UnsupportedOperationException(name);
        });
    }

    public Connection connection() {
        return port(Connection.class, (name, arguments) -> switch (name) {
            case "peerHost" -> {
                whenHostAsked.run();
                yield peerHost;
            }
            case "privateData" -> privateData;
            case "isConnected" -> connected;
            case "close" -> note("disconnect");
            default -> throw new UnsupportedOperationException(name);
        });
    }

    private QueuePair queuePair() {
        return port(QueuePair.class, (name, arguments) -> switch (name) {
            case "prepareSend" -> {
                refuse("prepare");
                yield send(((SendRequest[]) arguments[0])[0]);
            }
            case "prepareReceive" -> receive((ReceiveRequest[]) arguments[0]);
            case "wakePeer" -> note("wake");
            case "expectSends" -> {
                expected += (int) arguments[0];
                yield null;
            }
            case "init", "error" -> note(name);
            case "close" -> note("close qp");
            default -> throw new UnsupportedOperationException(name);
        });
    }

    private PostReceive receive(ReceiveRequest... requests) {
        prepared.addAll(Arrays.asList(requests));
        return port(PostReceive.class, (name, arguments) -> {
            receives.add(requests[0].wrId());
            return requests.length;
        });
    }

    private PostSend send(SendRequest request) {
        long[] wrId = {request.wrId(), request.remoteAddress(), request.rkey()};
        boolean[] signalled = {request.has(SendRequest.SIGNALLED)};
        List<Sge> sges = new ArrayList<>(request.sges());
        Call[] self = new Call[1];
        self[0] = (name, arguments) -> {
            switch (name) {
                case "wrId" -> wrId[0] = (long) arguments[1];
                case "remoteAddress" -> wrId[1] = (long) arguments[1];
                case "rkey" -> wrId[2] = (int) arguments[1];
                case "signalled" -> signalled[0] = (boolean) arguments[1];
                case "execute" -> {
                    return execute(new Posted(request.opcode(), wrId[0], signalled[0], List.copyOf(sges), wrId[1],
                            (int) wrId[2]));
                }
                case "push" -> {
                    if (arguments.length > 3 && pushes) {
                        pushed.add(List.of((long) arguments[0], (long) arguments[1], (long) (int) arguments[2],
                                (long) (int) arguments[4], (long) (int) arguments[5]));
                    }
                    return arguments.length > 3 ? pushes
                            : push((long) arguments[0], (long) arguments[1], (int) arguments[2], sges);
                }
                default -> {
                    int sge = (int) arguments[1];
                    Sge old = sges.get(sge);
                    sges.set(sge, new Sge(name.equals("address") ? (long) arguments[2] : old.address(),
                            name.equals("length") ? (int) arguments[2] : old.length(),
                            name.equals("lkey") ? (int) arguments[2] : old.lkey()));
                }
            }
            return self[0];
        };
        return port(PostSend.class, self[0]);
    }

    private boolean push(long first, long second, int length, List<Sge> sges) {
        if (pushes) {
            pushed.add(List.of(first, second, (long) length, sges.get(1).address()));
        }
        return pushes;
    }

    private int execute(Posted send) {
        if (room == 0) {
            return 0;
        }
        room--;
        posted.add(send);
        if (quick && send.signalled()) {
            sends.done(send.wrId());
        }
        return 1;
    }

    /** What a CQ has, and how often somebody looked. */
    public final class Completions {

        private final String name;
        private final Queue<Consumer<WorkCompletion>> waiting = new ArrayDeque<>();
        int polls;
        /** Done by the look of this number. */
        int latePolls = -1;
        Runnable late = () -> { };
        VerbsException fault;

        Completions(String name) {
            this.name = name;
        }

        void done(long wrId) {
            waiting.add(wc -> wc.succeed(wrId, 1, WcOpcode.SEND, 0));
        }

        void failed(WcStatus status) {
            waiting.add(wc -> wc.fail(0, 1, status, 0));
        }

        void message(int receive, int bytes) {
            waiting.add(wc -> wc.succeed(receive, 1, WcOpcode.RECV, bytes));
        }

        public void message(ByteBuffer in, int offset, int bytes) {
            waiting.add(wc -> {
                wc.succeed(0, 1, WcOpcode.RECV, bytes);
                wc.inline(in, offset);
            });
        }

        private boolean poll(WorkCompletion wc) {
            if (fault != null) {
                throw fault;
            }
            if (++polls == latePolls) {
                late.run();
            }
            Consumer<WorkCompletion> next = waiting.poll();
            if (next != null) {
                next.accept(wc);
            }
            return next != null;
        }

        /** Returns how often somebody looked since this was asked last. */
        int polls() {
            int now = polls;
            polls = 0;
            return now;
        }

        private CompletionQueue queue() {
            return port(CompletionQueue.class, (call, arguments) -> switch (call) {
                case "poll" -> poll((WorkCompletion) arguments[0]);
                case "hasMore" -> !waiting.isEmpty();
                case "arm" -> {
                    note("arm " + name);
                    whenArmed.run();
                    yield null;
                }
                case "disarm", "close" -> note(call + " " + name);
                default -> throw new UnsupportedOperationException(call);
            });
        }
    }
}
