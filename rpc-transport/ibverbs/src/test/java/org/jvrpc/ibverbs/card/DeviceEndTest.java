package org.jvrpc.ibverbs.card;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.jvrpc.ibverbs.binding.Libraries;
import org.jvrpc.ibverbs.binding.Native;
import org.jvrpc.testing.Waits;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.contract.Background;

/** A device is closed while other threads are in libibverbs for it, by both drivers that call libibverbs. */
final class DeviceEndTest {

    private static final int SECONDS = 30;

    private final HaltedVerbs verbs = new HaltedVerbs();
    private final EndingDevice device = new EndingDevice(verbs);

    @AfterEach
    void nobodyUsedWhatWasClosed() {
        verbs.goOn();
        device.context.close();
        assertEquals(List.of(), verbs.late(), "calls of libibverbs after ibv_close_device");
    }

    @ParameterizedTest
    @CsvSource({
        "generic, ibv_alloc_pd", "generic, ibv_reg_mr", "generic, ibv_create_comp_channel", "generic, ibv_create_cq",
        "generic, ibv_create_srq", "generic, ibv_create_qp", "generic, ibv_create_ah", "generic, ibv_modify_qp",
        "generic, ibv_query_qp", "generic, ibv_query_port", "generic, ibv_get_async_event", "generic, ibv_destroy_qp",
        "generic, ibv_destroy_ah", "generic, ibv_destroy_srq", "generic, ibv_dereg_mr", "generic, ibv_destroy_cq",
        "generic, ibv_destroy_comp_channel", "generic, ibv_dealloc_pd", "mlx5, ibv_reg_mr", "mlx5, ibv_create_cq",
        "mlx5, ibv_create_srq", "mlx5, ibv_create_qp", "mlx5, ibv_create_ah", "mlx5, ibv_modify_qp",
        "mlx5, ibv_query_qp", "mlx5, ibv_get_async_event", "mlx5, ibv_destroy_qp", "mlx5, ibv_destroy_ah",
        "mlx5, ibv_destroy_srq", "mlx5, ibv_destroy_cq"
    })
    void theDeviceIsClosedOnceNobodyIsInTheLibrary(String driver, String function) throws InterruptedException {
        device.begin(driver);
        device.prepare(function);
        verbs.haltIn(function);
        Background<Void> user = Background.start("user", () -> device.call(function));
        verbs.awaitHalted();
        Thread closer = new Thread(device.context::close, "closer");
        closer.start();
        Waits.until("the closer to wait", () -> isStopped(closer) || verbs.isClosed());
        assertFalse(verbs.isClosed(), "the device was closed under " + function);
        verbs.goOn();
        closer.join(SECONDS * 1000L);
        assertTrue(verbs.isClosed(), "the device is not closed");
        try {
            user.join(SECONDS);
        } catch (VerbsException e) {
            assertTrue(e.getMessage().contains("device is closed"), e.getMessage());
        }
        assertEquals(List.of(), verbs.left(), "QPs, SRQs and CQs that were left when the device was closed");
    }

    private boolean isRefused() {
        boolean[] ran = new boolean[1];
        device.context.whileOpen(() -> {
            ran[0] = true;
        });
        return !ran[0];
    }

    private static boolean isStopped(Thread thread) {
        return thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.BLOCKED;
    }

    @ParameterizedTest
    @ValueSource(strings = {"generic", "mlx5"})
    void nothingIsMadeOfADeviceThatIsClosed(String driver) {
        device.begin(driver);
        device.prepare("ibv_query_qp");
        device.context.close();
        for (String function : List.of("ibv_alloc_pd", "ibv_reg_mr", "ibv_create_comp_channel", "ibv_create_cq",
                "ibv_create_srq", "ibv_create_qp", "ibv_create_ah", "ibv_query_port")) {
            String said = assertThrows(VerbsException.class, () -> device.call(function), function).getMessage();
            assertTrue(said.contains("device is closed, name=model"), said);
        }
    }

    @Test
    void aLatecomerIsRefusedWhileTheDeviceIsBeingClosed() throws InterruptedException {
        device.begin("generic");
        device.prepare("ibv_dealloc_pd");
        verbs.haltIn("ibv_create_cq");
        Background<Void> user = Background.start("user", () -> device.call("ibv_create_cq"));
        verbs.awaitHalted();
        Thread closer = new Thread(device.context::close, "closer");
        closer.start();
        Waits.until("latecomers to be refused", this::isRefused);
        String said = assertThrows(VerbsException.class, () -> device.call("ibv_alloc_pd")).getMessage();
        assertTrue(said.contains("device is closed, name=model"), said);
        verbs.goOn();
        user.join(SECONDS);
        closer.join(SECONDS * 1000L);
        assertTrue(verbs.isClosed(), "the device is not closed");
    }

    @Test
    void aClosedDeviceIsClosedAgainInVain() {
        device.context.close();
        device.context.close();
        assertEquals(1, verbs.closes());
    }

    @Test
    void theDeviceCannotBeClosedInsideACallForIt() {
        device.context.whileOpen(() -> assertThrows(IllegalStateException.class, device.context::close));
        assertFalse(verbs.isClosed());
    }

    @Test
    void whatFailsAtTheEndKeepsNothingElseFromIt() {
        int[] ran = new int[1];
        device.context.onClose(() -> {
            throw new VerbsException("destroy_qp", "first");
        });
        device.context.onClose(() -> {
            throw new AssertionError("an Error");
        });
        device.context.onClose(() -> ran[0]++);
        assertThrows(AssertionError.class, device.context::close, "the last failure");
        assertEquals(1, ran[0]);
        assertTrue(verbs.isClosed());
    }

    @Test
    void noCommandIsWrittenToTheFileOfAClosedDevice() {
        Native word = Native.allocate(8).putLong(0, 5);
        assertTrue(device.context.commands().write(word, 8));
        assertFalse(device.context.commands().isClosed());
        device.context.close();
        assertFalse(device.context.commands().write(word, 8));
        assertTrue(device.context.commands().isClosed());
        Libraries.c().read(device.commandFd, word.address(), 8);
        assertEquals(5, word.getLong(0), "sum of the words written");
    }
}
