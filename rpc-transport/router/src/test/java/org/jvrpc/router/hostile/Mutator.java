package org.jvrpc.router.hostile;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.softrnic.memory.LateFaults;
import org.jvrpc.softrnic.queue.CqContext;
import org.jvrpc.softrnic.queue.QpContext;
import org.jvrpc.softrnic.router.wire.Command;
import org.jvrpc.softrnic.router.wire.ConnectNote;
import org.jvrpc.softrnic.router.wire.ControlFrame;
import org.jvrpc.softrnic.router.wire.SlabNote;
import org.jvrpc.softrnic.router.wire.SubmitRing;

/**
 * A hostile tenant and its accomplice, whose every act is a mutation: a word of a ring, a forged WQE, a frame, a file.
 * What comes of it is of no interest here; when both were thrown out they come again. All that it does follows from its
 * seed, but for what the router answers. One thread.
 */
final class Mutator implements Runnable {

    private static final int PAIRS = 3;
    /** Mutations of one pair of devices: then both go, some by cutting their memory. */
    private static final int LIFE = 40_000;
    private static final int FRAMES_PER_SECOND = 8_000;
    private static final int[] LENGTHS = {0, 1, 8, 64, 4096, 65_536, 65_537, 300_000, RawTenant.DATA_BYTES,
        RawTenant.DATA_BYTES + 1, Integer.MAX_VALUE, Integer.MIN_VALUE, -1, Wqe.INLINE | 40, Wqe.INLINE | 4096};
    private static final int[] OPCODES = {Wqe.SEND, Wqe.SEND_IMM, Wqe.RDMA_WRITE, Wqe.RDMA_WRITE_IMM, Wqe.RDMA_READ,
        Wqe.ATOMIC_CS, Wqe.ATOMIC_FA, Wqe.ATOMIC_MASKED_CS, Wqe.ATOMIC_MASKED_FA, Wqe.NOP, Wqe.WAIT,
        Wqe.SEND_ENABLE, 0x7f, 0xff};

    final AtomicLong mutations = new AtomicLong();
    final AtomicLong lives = new AtomicLong();
    private final Path[] folders;
    private final Random random;
    private final long limit;
    private final long endNs;
    private final RawTenant[] sides = new RawTenant[2];
    private final RawQp[][] qps = new RawQp[2][PAIRS];
    private long frames;
    private long framesNs;
    /** Neither its own nor the router's memory: why it ended before its time. */
    volatile Throwable trouble;

    /** @param own folder of the hostile tenant @param other its accomplice's, or the same */
    Mutator(Path own, Path other, long seed, long mutations, long seconds) {
        this.folders = new Path[] {own, other};
        this.random = new Random(seed);
        this.limit = mutations;
        this.endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    }

    boolean isOver() {
        return trouble != null || mutations.get() >= limit || System.nanoTime() - endNs > 0;
    }

    @Override
    public void run() {
        try {
            while (!isOver()) {
                liveOnce();
            }
        } catch (Throwable e) {
            trouble = e;
        } finally {
            leave(false);
        }
    }

    /** Memory that was returned behind it may be told of anywhere, also when it has let go of it. */
    private void liveOnce() {
        try {
            live();
        } catch (InternalError e) {
            leave(false);
        }
    }

    private void live() {
        lives.incrementAndGet();
        try {
            sides[0] = RawTenant.attached(folders[0]);
            sides[1] = RawTenant.attached(folders[1]);
            for (int i = 0; i < PAIRS; i++) {
                connect(i);
            }
            for (int i = 0; i < LIFE && !isOver(); i++) {
                act();
                mutations.incrementAndGet();
            }
        } catch (UncheckedIOException | IllegalStateException | InternalError e) {
            // thrown out, refused in the middle of something, or its memory was returned behind it: it comes again
        }
        leave(true);
        if (lives.get() % 256 == 0) {
            System.gc(); // mappings go with the collector
        }
    }

    private void connect(int i) {
        for (int side = 0; side < 2; side++) {
            qps[side][i] = new RawQp(sides[side], i, random.nextInt(8));
        }
        RawQp.connect(qps[0][i], qps[1][i]);
    }

    /** Has the errors of memory that is gone come now: in the middle of a file's operation they end as others. */
    private static void hearOfMemory() {
        try {
            LateFaults.tell();
        } catch (InternalError e) {
            // of no interest: it was returned behind it
        }
    }

    private void leave(boolean mayCut) {
        hearOfMemory();
        boolean cuts = mayCut && random.nextInt(3) == 0;
        for (int side = 0; side < 2; side++) {
            RawTenant one = sides[side];
            sides[side] = null;
            if (one == null) {
                continue;
            }
            if (cuts && side == random.nextInt(2)) {
                one.cut(RawTenant.SEGMENT, random.nextInt(4) * 4096L * random.nextInt(64));
                try {
                    for (int i = 0; i < PAIRS; i++) {
                        one.say(ControlFrame.of(Command.RING, random.nextInt(64), 100 + i));
                    }
                } catch (UncheckedIOException e) {
                    // it was thrown out
                }
            }
            one.close();
            one.remove();
        }
    }

    private RawQp any() {
        return qps[random.nextInt(2)][random.nextInt(PAIRS)];
    }

    private void act() {
        RawQp qp = any();
        int what = random.nextInt(10_000);
        if (what < 6_000) {
            scribble(qp);
        } else if (what < 8_000) {
            forge(qp);
        } else if (what < 9_000) {
            submit(qp);
        } else if (what < 9_500) {
            qp.posted(qp.posted += random.nextInt(4));
            frame(qp, ControlFrame.of(Command.RING, qp.producer, qp.number));
        } else if (what < 9_900) {
            hear(qp.tenant);
        } else if (what < 9_990) {
            frame(qp, anyFrame(qp));
        } else if (what < 9_999) {
            again();
        } else {
            file(qp.tenant);
        }
    }

    /** Addresses and numbers that are nearly right are worse than random ones. */
    private long value() {
        return switch (random.nextInt(6)) {
            case 0 -> random.nextLong();
            case 1 -> RawTenant.address(RawTenant.DATA + random.nextInt(RawTenant.DATA_BYTES));
            case 2 -> RawTenant.address(random.nextInt(2 * RawTenant.BYTES) - 4096);
            case 3 -> (long) random.nextInt(1 << 23) << 40 | random.nextInt(1 << 20);
            case 4 -> random.nextInt(256) - 128;
            default -> (long) LENGTHS[random.nextInt(LENGTHS.length)] << 32 | key();
        };
    }

    private int key() {
        int which = random.nextInt(5);
        return which == 0 ? random.nextInt() : which == 1 ? RawTenant.KEY : sides[which & 1].rkey;
    }

    private void scribble(RawQp qp) {
        int place = switch (random.nextInt(7)) {
            case 0 -> random.nextInt(QpContext.RINGS);
            case 1 -> QpContext.RINGS + random.nextInt(RawQp.RECEIVES * RawQp.STRIDE);
            case 2, 3 -> RawQp.SEND_RING + random.nextInt(RawQp.SENDS * Wqe.BLOCK);
            case 4 -> RawQp.SEND_CQ + random.nextInt(CqContext.RING);
            case 5 -> RawQp.RECEIVE_CQ + random.nextInt(CqContext.RING);
            default -> RawQp.SUBMIT + random.nextInt(SubmitRing.BYTES);
        };
        qp.memory.putLong(qp.at + (place & -8), value());
    }

    private void forge(RawQp qp) {
        int opcode = OPCODES[random.nextInt(OPCODES.length)];
        qp.control(random.nextInt(20) == 0 ? random.nextInt(256) : 0, opcode, 1 + random.nextInt(4));
        int wqe = qp.wqeAt();
        for (int at = Wqe.SEGMENT; at < Wqe.BLOCK; at += Wqe.SEGMENT) {
            boolean good = random.nextBoolean();
            int length = good ? 1 + random.nextInt(4096) : LENGTHS[random.nextInt(LENGTHS.length)];
            qp.segment(wqe + at, length, good ? RawTenant.KEY : key(),
                    good ? RawTenant.address(RawTenant.DATA + random.nextInt(1 << 18)) : value());
        }
        if (opcode >= Wqe.RDMA_WRITE && opcode != Wqe.SEND && opcode != Wqe.SEND_IMM) {
            qp.memory.putLong(wqe + Wqe.REMOTE, Long.reverseBytes(RawTenant.address(RawTenant.DATA
                    + (random.nextInt(RawTenant.DATA_BYTES) & -8))));
            qp.memory.putInt(wqe + Wqe.REMOTE + 8, Integer.reverseBytes(key()));
        }
        qp.producer++;
        qp.receive(random.nextInt(1 << 18), 1 + random.nextInt(8192));
        if (random.nextBoolean()) {
            qp.free();
        }
    }

    private void submit(RawQp qp) {
        boolean good = random.nextInt(50) != 0;
        int kind = good ? 1 + random.nextInt(2) : random.nextInt(256);
        int length = good ? 1 + random.nextInt(112) : random.nextInt(256);
        if (kind == 2) {
            SubmitRing.rung(qp.memory, qp.at + RawQp.SUBMIT, good ? qp.producer : random.nextInt());
            return;
        }
        qp.submit(kind, length, good ? qp.producer : random.nextInt());
        qp.producer += kind == SubmitRing.PUSH ? 1 : 0;
    }

    private ControlFrame anyFrame(RawQp qp) {
        int id = random.nextInt();
        switch (random.nextInt(4)) {
            case 0:
                return new ConnectNote(random.nextBoolean() ? "10.77.0.2" : "", random.nextInt(2000),
                        random.nextInt(12), random.nextInt(200), qp.tenant.welcome.incarnation(),
                        new byte[random.nextInt(64)]).frame(id, qp.number, random.nextInt(2));
            case 1:
                return new SlabNote(1 + random.nextInt(8), 1 + random.nextInt(1 << 21), qp.tenant.name(),
                        1 + random.nextInt(3)).frame(id);
            case 2:
                Command[] all = {Command.ERROR, Command.DEREGISTER, Command.DROP_SLAB, Command.READY, Command.WAKE,
                    Command.UNLISTEN, Command.DESTROY};
                return new ControlFrame(all[random.nextInt(all.length)], random.nextInt(3), id, random.nextInt(300),
                        new byte[0]);
            default:
                byte[] body = new byte[random.nextInt(64)];
                random.nextBytes(body);
                Command[] commands = Command.values();
                boolean ends = random.nextInt(20) == 0; // frames that are none end the socket
                return ends ? new ControlFrame(commands[random.nextInt(commands.length)], 0, id, 0, body)
                        : ControlFrame.of(Command.WAKE, id, 0);
        }
    }

    /** Says something without waiting; a socket that is full takes no more now. */
    private void frame(RawQp qp, ControlFrame frame) {
        long nowNs = System.nanoTime();
        if (nowNs - framesNs > 100_000_000L) {
            framesNs = nowNs;
            frames = 0;
        }
        if (++frames > FRAMES_PER_SECOND / 10) {
            return;
        }
        hear(qp.tenant);
        ByteBuffer bytes = frame.encode();
        try {
            if (qp.tenant.socket.write(bytes) > 0) {
                qp.tenant.write(bytes);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void hear(RawTenant tenant) {
        while (tenant.look() != null) {
            // of no interest
        }
    }

    /** Makes the pairs anew of which one is in ERR by now. */
    private void again() {
        int i = random.nextInt(PAIRS);
        for (int side = 0; side < 2; side++) {
            hear(sides[side]);
            qps[side][i].destroy();
        }
        connect(i);
    }

    private void file(RawTenant tenant) {
        hearOfMemory();
        Path file = tenant.folder.resolve(Integer.toString(2 + random.nextInt(3)));
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            if (random.nextBoolean()) {
                channel.write(ByteBuffer.allocate(1), random.nextInt(1 << 20));
            } else {
                channel.truncate(random.nextInt(1 << 16));
            }
            channel.tryLock(random.nextInt(4), 1, false);
            Path link = tenant.folder.resolve(Integer.toString(7 + random.nextInt(2)));
            Files.deleteIfExists(link);
            Files.createSymbolicLink(link, file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
