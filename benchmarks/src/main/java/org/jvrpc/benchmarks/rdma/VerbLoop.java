package org.jvrpc.benchmarks.rdma;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jvrpc.verbs.PostSend;
import org.jvrpc.verbs.SendRequest;

/** One verb over and over; every answer is checked. The process decides which side it is. */
abstract class VerbLoop {

    private static final VarHandle LONG =
            MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    final VerbsEnd end;
    /** Number of the message or call under way. */
    long sequence;

    VerbLoop(VerbsEnd end) {
        this.end = end;
    }

    static VerbLoop of(Verb verb, VerbsEnd end) {
        return switch (verb) {
            case SEND -> new Send(end, 1);
            case PING -> new Send(end, Verb.SIGNALLED);
            case WRITE -> new Write(end);
            case READ -> new Read(end);
            case CAS -> new Cas(end);
            case TRANSFER -> new Transfer(end);
        };
    }

    /** Prepares calls, once the end is connected. */
    abstract void begin();

    /** The client's round trip. */
    abstract void call();

    /** Waits for one of the client's messages and answers it. */
    void answer() {
        throw new UnsupportedOperationException("one-sided");
    }

    final void expect(long found, long expected) {
        if (found != expected) {
            throw new IllegalStateException("found=" + found + " expected=" + expected);
        }
    }

    /** As the C loop: the receive is posted anew, and the send's completion taken, while the message travels. */
    private static final class Send extends VerbLoop {

        private final PostSend send;
        private final PostSend silent;
        private final int signalled;

        /** @param signalled one of so many sends is */
        Send(VerbsEnd end, int signalled) {
            super(end);
            this.signalled = signalled;
            send = end.qp.prepareSend(end.message().signalled());
            silent = end.qp.prepareSend(end.message());
        }

        @Override
        void begin() {
            // connected is enough
        }

        @Override
        void call() {
            sequence++;
            post();
            end.postReceive();
            check(end.receive());
            reap();
        }

        @Override
        void answer() {
            sequence++;
            check(end.receive());
            post();
            end.postReceive();
            reap();
        }

        private boolean isSignalled() {
            return sequence % signalled == 0;
        }

        private void reap() {
            if (isSignalled()) {
                end.reap();
            }
        }

        private void post() {
            end.memory.putLong(VerbsEnd.OUT, sequence);
            end.memory.putLong(VerbsEnd.OUT + 8, sequence);
            VerbsEnd.accepted((isSignalled() ? send : silent).execute());
        }

        private void check(int at) {
            expect(end.memory.getLong(at), sequence);
            expect(end.memory.getLong(at + 8), sequence);
        }
    }

    /** As ib_write_lat: what is awaited is the last byte of the peer's WRITE. */
    private static final class Write extends VerbLoop {

        private static final int LAST_WORD = VerbsEnd.PEERS + 8;

        private PostSend write;

        Write(VerbsEnd end) {
            super(end);
        }

        @Override
        void begin() {
            write = end.qp.prepareSend(
                    SendRequest.write(0, end.remoteAddress, end.rkey, end.out(Verb.SIZE)).signalled());
        }

        @Override
        void call() {
            sequence++;
            post();
            end.reap();
            await();
        }

        @Override
        void answer() {
            sequence++;
            await();
            post();
            end.reap();
        }

        private void post() {
            end.memory.putLong(VerbsEnd.OUT, sequence);
            end.memory.putLong(VerbsEnd.OUT + 8, sequence << 56);
            VerbsEnd.accepted(write.execute());
        }

        private void await() {
            ByteBuffer memory = end.memory;
            long expected = sequence & 0xff;
            while ((long) LONG.getAcquire(memory, LAST_WORD) >>> 56 != expected) {
                // Without a pause, as perftest.
            }
            expect(memory.getLong(VerbsEnd.PEERS), sequence);
        }
    }

    /** Posts one while the one before it is under way. */
    private static final class Transfer extends VerbLoop {

        private PostSend write;

        Transfer(VerbsEnd end) {
            super(end);
        }

        @Override
        void begin() {
            write = end.qp.prepareSend(SendRequest.write(0, end.remoteAddress, end.rkey,
                    end.out(Verb.TRANSFER_BYTES)).signalled());
            VerbsEnd.accepted(write.execute());
        }

        @Override
        void call() {
            VerbsEnd.accepted(write.execute());
            end.reap();
        }

        @Override
        void answer() {
            end.look();
        }
    }

    /** READs words that only the server's end writes. */
    private static final class Read extends VerbLoop {

        private static final long FIRST = 0x0123456789abcdefL;

        private PostSend read;

        Read(VerbsEnd end) {
            super(end);
            end.memory.putLong(VerbsEnd.PEERS, FIRST);
            end.memory.putLong(VerbsEnd.PEERS + 8, ~FIRST);
        }

        @Override
        void begin() {
            read = end.qp.prepareSend(
                    SendRequest.read(0, end.remoteAddress, end.rkey, end.out(Verb.SIZE)).signalled());
        }

        @Override
        void call() {
            end.memory.putLong(VerbsEnd.OUT + 8, 0);
            VerbsEnd.accepted(read.execute());
            end.reap();
            expect(end.memory.getLong(VerbsEnd.OUT), FIRST);
            expect(end.memory.getLong(VerbsEnd.OUT + 8), ~FIRST);
        }
    }

    /** Counts a word of the server's up by one a call. */
    private static final class Cas extends VerbLoop {

        private PostSend swap;

        Cas(VerbsEnd end) {
            super(end);
        }

        @Override
        void begin() {
            swap = end.qp.prepareSend(
                    SendRequest.compareAndSwap(0, end.remoteAddress, end.rkey, 0, 0, end.out(8)).signalled());
        }

        @Override
        void call() {
            VerbsEnd.accepted(swap.operands(0, sequence, sequence + 1).execute());
            end.reap();
            expect(end.memory.getLong(VerbsEnd.OUT), sequence);
            sequence++;
        }
    }
}
