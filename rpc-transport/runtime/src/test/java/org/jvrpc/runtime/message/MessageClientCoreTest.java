package org.jvrpc.runtime.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.jvrpc.runtime.MessageHandler;
import org.jvrpc.runtime.MessageSession;
import org.jvrpc.runtime.session.Hello;
import org.jvrpc.runtime.session.MessageHeader;
import org.jvrpc.runtime.session.Protocol;
import org.jvrpc.runtime.thread.Environment;
import org.jvrpc.runtime.verbs.StillDevice;
import org.jvrpc.runtime.verbs.StillDevices;
import org.jvrpc.verbs.VerbsException;

/** A message client step by step, on a device that does only what it is told to. */
class MessageClientCoreTest {

    private static final long SESSION = 42;
    private static final int MAX_FRAME = 100;
    private static final Hello ASKED = Hello.request(Protocol.MESSAGES, 4, 256, MAX_FRAME);

    private final StillDevice device = new StillDevice();
    private final List<String> told = new ArrayList<>();
    private Runnable does = () -> { };
    private int waits;
    private int numbers;
    private final MessageClientCore client = connect();

    private final class Handler implements MessageHandler {

        private void tell(String what) {
            told.add(what);
            does.run();
        }

        @Override
        public void opened(MessageSession session) {
            tell("opened");
        }

        @Override
        public void frame(MessageSession from, ByteBuffer frame) {
            tell("frame " + StandardCharsets.US_ASCII.decode(frame));
        }

        @Override
        public void closed(MessageSession ended, Throwable cause) {
            told.add(cause == null ? "closed" : "closed: " + cause.getMessage());
        }
    }

    private MessageClientCore connect() {
        StillDevices.next(device);
        device.privateData = ASKED.grant(1 << 20, SESSION).encode();
        device.whenAwaiting = () -> waits++;
        MessageClientCore core = new MessageClientCore(Environment.SYSTEM, "still://server", new Handler(), ASKED, 1);
        device.did();
        return core;
    }

    @AfterEach
    void close() {
        does = () -> { };
        client.close();
    }

    private void comes(int kind, int rest, String text) {
        ByteBuffer in = ByteBuffer.allocateDirect(64).order(ByteOrder.LITTLE_ENDIAN);
        in.putLong(MessageHeader.first(kind, 0, numbers++)).putLong(MessageHeader.second(text.length(), rest));
        in.put(text.getBytes(StandardCharsets.US_ASCII));
        device.received.message(in, 0, in.position());
    }

    private void frame(String text) {
        comes(MessageHeader.DATA, text.length(), text);
    }

    private List<String> arming() {
        return device.did().stream().filter(what -> what.endsWith("arm receive")).toList();
    }

    private void opened() {
        client.poll();
        told.clear();
    }

    @Test
    void theSessionIsTheServersAndBeginsWithTheFirstPoll() {
        assertEquals(SESSION, client.session().id());
        assertEquals(1 << 20, client.session().maxFrameBytes());
        assertEquals(List.of(), told);
        assertEquals(0, client.poll());
        client.poll();
        assertEquals(List.of("opened"), told);
    }

    @Test
    void aClientThatCannotConnectLeavesNoDevice() {
        device.connecting = (name, arguments) -> {
            throw new VerbsException("planted", "no memory");
        };
        StillDevices.next(device);
        assertThrows(VerbsException.class, () ->
                new MessageClientCore("still://server", new Handler(), ASKED, 1, false));
        List<String> did = device.did();
        assertEquals("close device", did.get(did.size() - 1));
    }

    @Test
    void aPollHandsOutWhatCameUpToThirtyTwoMessages() {
        opened();
        for (int i = 0; i < 40; i++) {
            frame("a");
        }
        assertEquals(32, client.poll());
        assertEquals(8, client.poll());
        assertEquals(40, told.size());
    }

    @Test
    void framesAreNoLongerThanThisClientTakes() {
        opened();
        comes(MessageHeader.DATA, MAX_FRAME + 1, "a");
        client.poll();
        assertEquals(List.of("closed: frame is longer than this side takes: bytes=101 limit=100"), told);
    }

    // ---- polls that sleep

    @Test
    void whoHasSomethingToDoDoesNotSleep() {
        opened();
        frame("a");
        assertEquals(1, client.poll(5));
        assertEquals(0, waits);
        assertEquals(List.of(), arming());
    }

    @Test
    void whoHasNothingToDoSleepsAndIsNotWokenAfterwards() {
        opened();
        device.whenAwaiting = () -> {
            waits++;
            assertEquals(List.of("arm receive"), arming());
            frame("a");
        };
        assertEquals(1, client.poll(5));
        assertEquals(1, waits);
        assertEquals(List.of("disarm receive"), arming());
        assertEquals(List.of("frame a"), told);
    }

    @Test
    void whoIsWokenForNothingDoesNothing() {
        opened();
        assertEquals(0, client.poll(5));
        assertEquals(1, waits);
        assertEquals(List.of(), told);
    }

    @Test
    void whatCameBeforeItWasArmedIsTakenWithoutASleep() {
        opened();
        device.whenArmed = () -> frame("a");
        assertEquals(1, client.poll(5));
        assertEquals(0, waits);
        assertEquals(List.of("arm receive", "disarm receive"), arming());
    }

    @Test
    void aSessionThatIsOverIsNeitherPolledNorWaitedFor() {
        opened();
        comes(MessageHeader.BYE, 0, "");
        client.poll(5);
        assertEquals(List.of("closed"), told);
        frame("a");
        assertEquals(0, client.poll());
        assertEquals(0, client.poll(5));
        assertEquals(0, waits);
        assertEquals(List.of(), arming());
        assertEquals(List.of("closed"), told);
    }

    @Test
    void aHandlerThatClosesItsClientWhereTheSessionBeginsHasItNotPolled() {
        does = client::close;
        frame("a");
        assertEquals(0, client.poll(5));
        assertEquals(List.of("opened", "closed"), told);
    }

    // ---- threads that take turns

    @Test
    void whoeverPollsSaysWhetherASleeperIsWoken() {
        client.arm();
        assertEquals(List.of("arm receive"), arming());
        client.await(5);
        assertEquals(1, waits);
        client.disarm();
        assertEquals(List.of("disarm receive"), arming());
        client.wakeup();
        assertEquals(List.of("wakeup"), device.did());
    }

    @Test
    void whatNoCompletionTellsOfWakesTheSleeper() {
        client.session().resume();
        assertEquals(List.of("wakeup"), device.did());
    }

    // ---- the end

    @Test
    void theEndGivesEverythingBackOnce() {
        opened();
        assertTrue(client.session().isOpen());
        client.close();
        client.close();
        assertEquals(List.of("closed"), told);
        assertFalse(client.session().isOpen());
        List<String> did = device.did();
        assertEquals(1, did.stream().filter("disconnect"::equals).count());
        assertEquals(1, did.stream().filter("close qp"::equals).count());
        assertEquals(1, did.stream().filter("close device"::equals).count());
        assertEquals("close device", did.get(did.size() - 1));
    }
}
