package org.jvrpc.router.control.move;

import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jvrpc.testing.Waits;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.CompletionQueue;
import org.jvrpc.verbs.CompletionQueueAttributes;
import org.jvrpc.verbs.Connection;
import org.jvrpc.verbs.ConnectionRequest;
import org.jvrpc.verbs.Device;
import org.jvrpc.verbs.EventChannel;
import org.jvrpc.verbs.Listener;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.ProtectionDomain;
import org.jvrpc.verbs.QueuePair;
import org.jvrpc.verbs.QueuePairAttributes;
import org.jvrpc.verbs.ReceiveRequest;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.WorkCompletion;

/**
 * A number that can be read and set, a connection a call. Who serves it reads what is kept once, in the beginning, as a
 * program that is started again does, and answers from its own memory: one that answers although another one has begun
 * says what is old.
 */
final class RegisterService {

    static final long READ = -1;
    private static final int BYTES = 8;
    private static final int DEPTH = 4;

    private RegisterService() {
    }

    /** A device with one QP at a time. One thread. */
    private static final class End implements AutoCloseable {

        final Device device;
        final EventChannel channel;
        private final ProtectionDomain pd;
        private final MemoryRegion memory;
        private final CompletionQueue cq;
        private final WorkCompletion wc = new WorkCompletion();

        End(Device device) {
            this.device = device;
            this.channel = device.createChannel();
            this.pd = device.allocatePd();
            this.memory = pd.allocate(2 * BYTES, Access.LOCAL_WRITE);
            this.cq = device.createCq(CompletionQueueAttributes.ofDepth(2 * DEPTH));
        }

        QueuePair qp() {
            QueuePair qp = pd.createQp(new QueuePairAttributes(cq, cq).depth(DEPTH, DEPTH));
            qp.init();
            qp.prepareReceive(ReceiveRequest.of(1, Sge.of(memory, 0, BYTES))).execute();
            return qp;
        }

        void send(QueuePair qp, long value) {
            memory.buffer(BYTES, BYTES).order(ByteOrder.nativeOrder()).putLong(0, value);
            qp.prepareSend(SendRequest.send(2, Sge.of(memory, BYTES, BYTES)).signalled()).execute();
        }

        /** Waits for something of this connection. @return whether it is good */
        boolean await(BooleanSupplier ends) {
            boolean[] polled = new boolean[1];
            Waits.until("a completion", () -> (polled[0] = cq.poll(wc)) || ends.getAsBoolean());
            return polled[0] && wc.status() == WcStatus.SUCCESS;
        }

        long received() {
            return memory.buffer(0, BYTES).order(ByteOrder.nativeOrder()).getLong(0);
        }

        void drain() {
            while (cq.poll(wc)) {
                continue; // what is flushed
            }
        }

        @Override
        public void close() {
            device.close();
        }
    }

    /** Serves until it is closed. */
    static final class Server implements AutoCloseable {

        private final End end;
        private final Listener listener;
        private final AtomicLong kept;
        private final Thread thread = new Thread(this::serve, "register-server");
        private long value;
        private volatile boolean closed;

        /** @param kept what is there still when this has ended */
        Server(Device device, String address, AtomicLong kept) {
            this.end = new End(device);
            this.listener = device.listen(address, end.channel);
            this.kept = kept;
            this.value = kept.get();
            thread.start();
        }

        private void serve() {
            while (!closed) {
                ConnectionRequest request = listener.poll();
                if (request == null) {
                    Thread.onSpinWait();
                    Thread.yield();
                } else {
                    answer(request);
                }
            }
        }

        private void answer(ConnectionRequest request) {
            QueuePair qp = end.qp();
            try (Connection connection = request.accept(qp, new byte[0])) {
                if (end.await(() -> closed || !connection.isConnected())) {
                    long asked = end.received();
                    if (asked != READ) {
                        value = asked;
                        kept.set(asked);
                    }
                    end.send(qp, value);
                    end.await(() -> closed || !connection.isConnected());
                }
            } catch (RuntimeException e) {
                qp.close(); // who asked is gone
            }
            end.drain();
        }

        @Override
        public void close() {
            closed = true;
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            end.close();
        }
    }

    /** Calls. One thread. */
    static final class Client implements AutoCloseable {

        private final End end;
        private final String address;

        Client(Device device, String address) {
            this.end = new End(device);
            this.address = address;
        }

        long call(long asked, long timeoutNs) {
            return call(asked, timeoutNs, () -> { });
        }

        /**
         * Calls once.
         *
         * @param asked a number to set, or READ
         * @param sent is run before anything is sent: who fails before that has done nothing
         * @return what the register has then
         * @throws RuntimeException when it is not known whether that was done
         */
        long call(long asked, long timeoutNs, Runnable sent) {
            QueuePair qp = end.qp();
            try (Connection connection = end.device.connect(address, qp, new byte[0], end.channel, timeoutNs)) {
                sent.run();
                end.send(qp, asked);
                for (int i = 0; i < 2; i++) {
                    if (!end.await(() -> !connection.isConnected())) {
                        throw new IllegalStateException("the connection was cut");
                    }
                }
                return end.received();
            } finally {
                qp.close();
                end.drain();
            }
        }

        @Override
        public void close() {
            end.close();
        }
    }
}
