package org.jvrpc.ibverbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.jvrpc.ibverbs.RefusalMain.Wish;

/** What is said on hosts that lack something: the cause, and what helps. */
final class MissingRdmaTest {

    private static void says(String message, String... parts) {
        for (String part : parts) {
            assertTrue(message.contains(part), () -> "expected " + part + " in: " + message);
        }
    }

    @Test
    void aMissingLibibverbsIsNamedWithWhatToInstall() throws Exception {
        String missing = "-Djvrpc.library.ibverbs=/nowhere/libibverbs.so";
        says(Refusals.ask(List.of(), Wish.OPEN_ANY, missing),
                "refused: load: libibverbs is missing", "libibverbs1 ibverbs-providers", "/nowhere/libibverbs.so");
    }

    @Test
    void whatIsSaidOfAMissingLibraryIsALine() throws Exception {
        String message = Refusals.ask(List.of(), Wish.OPEN_ANY, "-Djvrpc.library.ibverbs=jvrpc-nowhere");
        says(message, "refused: load: libibverbs is missing", "libjvrpc-nowhere.so");
        assertEquals(1, message.lines().count(), message);
    }

    @Test
    void aMissingLibibverbsIsAnEntryInTheListOfDevices() throws Exception {
        String missing = "-Djvrpc.library.ibverbs=/nowhere/libibverbs.so";
        says(Refusals.ask(List.of(), Wish.LIST, missing), "libibverbs is missing", "granted");
    }

    @Test
    void aMissingLibrdmacmIsNamedWithWhatToInstall() throws Exception {
        assumeTrue(Refusals.ask(List.of(), Wish.CONNECTIONS).contains("granted"), "this machine has no librdmacm");
        String missing = "-Djvrpc.library.rdmacm=/nowhere/librdmacm.so";
        says(Refusals.ask(List.of(), Wish.CONNECTIONS, missing),
                "refused: load: librdmacm is missing", "librdmacm1", "/nowhere/librdmacm.so");
    }

    @Test
    void aHostWithoutADeviceIsToldHowToMakeOne() throws Exception {
        String[] devices = new File("/sys/class/infiniband").list();
        assumeTrue(devices == null || devices.length == 0, "this machine has an RDMA device");
        assumeTrue(Refusals.ask(List.of(), Wish.CONNECTIONS).contains("granted"), "this machine has no libibverbs");
        String message = Refusals.ask(List.of(), Wish.OPEN_ANY);
        assertTrue(message.contains("modprobe rdma_rxe") || message.contains("modprobe ib_uverbs"), message);
        says(message, "refused: ");
    }
}
