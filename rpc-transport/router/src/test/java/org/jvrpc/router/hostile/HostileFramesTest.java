package org.jvrpc.router.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.jvrpc.router.Refusal;
import org.jvrpc.softrnic.router.wire.Command;
import org.jvrpc.softrnic.router.wire.ConnectNote;
import org.jvrpc.softrnic.router.wire.ControlFrame;
import org.jvrpc.softrnic.router.wire.CqNote;
import org.jvrpc.softrnic.router.wire.ListenNote;
import org.jvrpc.softrnic.router.wire.Offer;
import org.jvrpc.softrnic.router.wire.QpNote;
import org.jvrpc.softrnic.router.wire.Refused;
import org.jvrpc.softrnic.router.wire.RegionNote;
import org.jvrpc.softrnic.router.wire.SlabNote;
import org.jvrpc.softrnic.router.wire.SrqNote;
import org.jvrpc.testing.Waits;

/** What a container says on its socket that no driver would. */
final class HostileFramesTest extends HostileGround {

    private static void expectRefused(Refusal why, ControlFrame answer) {
        try {
            assertEquals(why.ordinal(), Refused.decode(answer).reason(), () -> new String(answer.body()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @CsvSource({"-1, 0, 0", "4097, 0, 0", "2147483647, 0, 0", "0, 200, 0", "0, 0, 1"})
    void aHeaderThatIsNoneEndsItsSocket(int length, int command, int zero) throws IOException {
        RawTenant hostile = attached(HOSTILE);
        ByteBuffer header = ByteBuffer.allocate(ControlFrame.HEADER).order(ByteOrder.LITTLE_ENDIAN);
        header.putInt(0, length).put(4, (byte) command).putShort(6, (short) zero);
        hostile.write(header);
        hostile.isLeft();
    }

    /** What comes may be refused, or end the socket; what is refused leaves nothing behind. */
    @ParameterizedTest
    @EnumSource(Command.class)
    void bodiesOfAnyContentHarmTheirSenderAlone(Command command) {
        Random random = new Random(18 + command.ordinal());
        RawTenant hostile = attached(HOSTILE);
        for (int i = 0; i < 24; i++) {
            byte[] body = new byte[i % 3 == 0 ? random.nextInt(8) : random.nextInt(ControlFrame.MAX_BODY)];
            random.nextBytes(body);
            try {
                hostile.say(new ControlFrame(command, random.nextInt(256), random.nextInt(), random.nextInt(400),
                        body));
            } catch (UncheckedIOException e) {
                hostile.close();
                hostile = attached(HOSTILE); // it was left
            }
        }
        neighbours.goOn();
    }

    @Test
    void aBodyThatNeverEndsHoldsNobodyUp() throws IOException {
        RawTenant hostile = attached(HOSTILE);
        ByteBuffer begun = new RegionNote(1 << 10, 1, 1, RawTenant.address(0), 64).frame(9).encode();
        hostile.write(begun.limit(begun.limit() - 1));
        neighbours.goOn();
        hostile.write(begun.limit(begun.limit() + 1));
        assertEquals(9, hostile.hear().id());
    }

    @ParameterizedTest
    @CsvSource({"1, 0x10000000000", "0x7fffff, 64", "2, 0", "2, -1"})
    void slabsOfNoPossibleKindAreRefused(int segment, long length) {
        RawTenant hostile = attached(HOSTILE);
        hostile.say(new SlabNote(segment, length, hostile.name(), 7).frame(9));
        assertEquals(Command.REFUSED, hostile.hear().command());
    }

    @Test
    void queuesThatReachOutOfTheirSlabAreRefused() {
        RawTenant hostile = attached(HOSTILE);
        long end = RawTenant.address(RawTenant.BYTES);
        List<ControlFrame> wrong = new ArrayList<>();
        for (long address : new long[] {end - 128, end, 0, -128, Long.MIN_VALUE, Long.MAX_VALUE - 127,
                RawTenant.address(64), RawTenant.address(0) - (1L << 40), 0xffffff_0000000000L}) {
            wrong.add(new CqNote(7, address, 1 << 10, 64, 0).frame(1));
            wrong.add(new SrqNote(7, 1, address, 1 << 10, 64).frame(1));
            wrong.add(new QpNote(7, 1, address, 1 << 10, 64, 64, 256 + (64 << 10), 2, 2, 0, 0, 0, 7, 0, 0).frame(1));
            wrong.add(new RegionNote(99 << 8, 1, 1, address + 1, RawTenant.BYTES).frame(1));
        }
        hostile.done(new CqNote(2, RawTenant.address(0), 16, 64, 0).frame(1));
        for (int sendRing : new int[] {0, 64, 300, 1 << 30, RawTenant.BYTES - 64}) {
            wrong.add(new QpNote(7, 1, RawTenant.address(4096), 16, 64, 64, sendRing, 2, 2, 0, 0, 0, 7, 0, 0).frame(1));
        }
        for (long submit : new long[] {1, -1, end - 128, RawTenant.address(64)}) {
            wrong.add(new QpNote(7, 1, RawTenant.address(4096), 16, 64, 64, 2048, 2, 2, 0, 0, 0, 7, 0, submit)
                    .frame(1));
        }
        wrong.add(new QpNote(7, 1, RawTenant.address(4096), 16, 64, 64, 2048, 2, 3, 0, 0, 0, 7, 0, 0).frame(1));
        wrong.add(new QpNote(7, 1, RawTenant.address(4096), 16, 64, 64, 2048, 2, 2, 5, 0, 0, 7, 0, 0).frame(1));
        for (ControlFrame frame : wrong) {
            ControlFrame answer = hostile.ask(frame);
            assertEquals(Command.REFUSED, answer.command(), frame::toString);
        }
        hostile.done(new QpNote(7, 1, RawTenant.address(4096), 16, 64, 64, 2048, 2, 2, 0, 0, 0, 7, 0, 0).frame(1));
    }

    @Test
    void objectsOfOthersCannotBeNamed() {
        RawTenant accomplice = attached(ACCOMPLICE);
        RawQp theirs = new RawQp(accomplice, 0, 7);
        RawTenant hostile = attached(HOSTILE);
        RawQp own = new RawQp(hostile, 5, 7);
        int[] numbers = {theirs.number, 1, 2, 3, 0x40};
        for (int number : numbers) {
            for (Command command : List.of(Command.READY, Command.ERROR, Command.DEREGISTER, Command.DROP_SLAB)) {
                int object = command == Command.DROP_SLAB ? number + 1 : number;
                expectRefused(Refusal.NOT_YOURS, hostile.ask(ControlFrame.of(command, hostile.nextId(), object)));
            }
            for (int kind = 0; kind < 3; kind++) {
                expectRefused(Refusal.NOT_YOURS, hostile.ask(
                        new ControlFrame(Command.DESTROY, kind, hostile.nextId(), number, new byte[0])));
            }
            expectRefused(Refusal.NOT_YOURS, hostile.ask(hostile.connect(number, accomplice.welcome.device(),
                    theirs.number, hostile.welcome.incarnation())));
            expectRefused(Refusal.ROUTER_GONE, hostile.ask(new Offer(number, "", "", new byte[0])
                    .frame(Command.ACCEPT, hostile.nextId(), own.number)));
            expectRefused(Refusal.ROUTER_GONE, hostile.ask(new Offer(number, "", "", new byte[0])
                    .frame(Command.REJECT, hostile.nextId(), 0)));
        }
        hostile.say(ControlFrame.of(Command.RING, 1, theirs.number));
        hostile.isLeft();
    }

    /** The neighbours' devices have low numbers, and so have their QPs: all are tried. */
    @Test
    void neighboursQpsCannotBeReachedByTheirNumbers() {
        RawTenant hostile = attached(HOSTILE);
        RawQp own = new RawQp(hostile, 0, 7);
        for (int device = 0; device < 4; device++) {
            for (int qp = 0; qp < 20; qp++) {
                ControlFrame answer = hostile.ask(
                        hostile.connect(own.number, device, qp, hostile.welcome.incarnation()));
                assertEquals(Command.REFUSED, answer.command(), "device=" + device + " qp=" + qp);
            }
        }
        neighbours.goOn();
    }

    @ParameterizedTest
    @CsvSource({"10.77.0.1, 0", "10.77.0.2, 1001", "10.77.0.99, 5", "not an address, 5", "'', 7", "256.0.0.1, 7"})
    void addressesOfOthersAreNotReached(String address, int port) {
        RawTenant hostile = attached(HOSTILE);
        RawQp own = new RawQp(hostile, 0, 7);
        ConnectNote note = new ConnectNote(address, port, 0, 0, 0, new byte[1024]);
        hostile.say(note.frame(9, own.number, 0));
        neighbours.goOn();
        assertTrue(hostile.hear().command() == Command.REFUSED);
    }

    @Test
    void nobodyListensAtANeighboursAddress() {
        RawTenant hostile = attached(HOSTILE);
        for (String address : new String[] {"10.77.0.1", "10.77.0.2", "10.77.0.77", "::", ""}) {
            expectRefused(Refusal.NOT_YOURS, hostile.ask(new ListenNote(1, address, 7000).frame(hostile.nextId())));
        }
    }

    /** Sockets beyond the bound are closed at once; the bound is a tenant's, so that others come in. */
    @Test
    void socketsThatSayNothingAreFew() throws IOException {
        List<RawTenant> silent = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            silent.add(stranger(HOSTILE));
        }
        Waits.until("most to be closed", () -> silent.stream().filter(HostileFramesTest::isClosed).count() >= 24);
        newNeighboursAreLetIn();
    }

    private static boolean isClosed(RawTenant tenant) {
        try {
            tenant.look();
            return false;
        } catch (UncheckedIOException e) {
            return true;
        }
    }

    /** All are answered, or the socket is not read for a while: meanwhile the neighbours have their turns. */
    @Test
    void commandsWithoutEndHoldNobodyUp() throws InterruptedException {
        RawTenant hostile = attached(HOSTILE);
        Thread flood = new Thread(() -> flood(hostile), "flood");
        flood.start();
        try {
            for (int i = 0; i < 5; i++) {
                newNeighboursAreLetIn();
                neighbours.goOn();
            }
        } finally {
            hostile.close();
            flood.join();
        }
    }

    private static void flood(RawTenant hostile) {
        ByteBuffer frame = ControlFrame.of(Command.DEREGISTER, 1, 77).encode();
        ByteBuffer ring = ControlFrame.of(Command.WAKE, 1, 77).encode();
        try {
            while (true) {
                hostile.write(frame.rewind());
                hostile.write(ring.rewind());
            }
        } catch (IOException e) {
            return; // it was closed, or left, as it does not read
        }
    }
}
