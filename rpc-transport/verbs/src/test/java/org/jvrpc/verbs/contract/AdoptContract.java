package org.jvrpc.verbs.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.jvrpc.verbs.Access;
import org.jvrpc.verbs.MemoryRegion;
import org.jvrpc.verbs.SendRequest;
import org.jvrpc.verbs.Sge;
import org.jvrpc.verbs.VerbsException;
import org.jvrpc.verbs.WcOpcode;
import org.jvrpc.verbs.WcStatus;

/** Memory of somebody else, a mapped file, which its owner may cut: {@link org.jvrpc.verbs.ProtectionDomain#adopt}. */
public abstract class AdoptContract extends DeviceContract {

    /** Of the file; no whole number of pages. */
    private static final int BYTES = 3 * 4096 + 100;
    private static final int ALL = Access.LOCAL_WRITE | Access.REMOTE_READ | Access.REMOTE_WRITE;
    /** Where files lie whose pages every device can pin. */
    private static final Path MEMORY = Path.of("/dev/shm");

    private Pair pair;
    private FileChannel file;

    protected AdoptContract(DeviceUnderTest dut) {
        super(dut);
    }

    @Override
    void assumeNeeds() {
        assumeTrue(dut.adopts(), "the device adopts no memory of others");
        assumeTrue(Files.isWritable(MEMORY), "this machine has no /dev/shm");
    }

    @Override
    void prepare() {
        pair = rig.pair();
        try {
            Path path = Files.createTempFile(MEMORY, "jvrpc-adopt-", "");
            file = rig.keep(FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE));
            Files.delete(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        write(0, Pattern.bytes(1, BYTES));
    }

    private void write(int at, byte[] bytes) {
        try {
            file.write(ByteBuffer.wrap(bytes), at);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private byte[] fileBytes(int at, int length) {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        try {
            assertEquals(length, file.read(bytes, at), "bytes of the file");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.array();
    }

    private MappedByteBuffer map() {
        try {
            return file.map(FileChannel.MapMode.READ_WRITE, 0, BYTES);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void cut() {
        try {
            file.truncate(0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private MemoryRegion adopt(int access) {
        return rig.keep(pair.right().side.pd.adopt(map(), access));
    }

    private SendRequest read(MemoryRegion from, int at, int bytes) {
        return SendRequest.read(1, from.address() + at, from.rkey(), pair.left().sge(0, bytes)).signalled();
    }

    @Test
    void peersReadAndWriteTheFileItself() {
        MemoryRegion region = adopt(ALL);
        assertEquals(BYTES, region.length());
        pair.left().post(read(region, 5, 5000));
        pair.left().sentOk(1, WcOpcode.RDMA_READ);
        pair.left().assertBytes(fileBytes(5, 5000), 0);
        byte[] data = Pattern.bytes(2, 6000);
        pair.left().put(0, data);
        pair.left().post(SendRequest.write(2, region.address() + 3, region.rkey(), pair.left().sge(0, 6000))
                .signalled());
        pair.left().sentOk(2, WcOpcode.RDMA_WRITE);
        assertArrayEquals(data, fileBytes(3, 6000));
    }

    @Test
    void whatIsReadFromAPeerLandsThere() {
        MemoryRegion region = adopt(Access.LOCAL_WRITE);
        byte[] data = Pattern.bytes(3, 7000);
        pair.left().put(0, data);
        pair.right().post(SendRequest.read(1, pair.left().address(0), pair.left().mr.rkey(), Sge.of(region, 9, 7000))
                .signalled());
        pair.right().sentOk(1, WcOpcode.RDMA_READ);
        assertArrayEquals(data, fileBytes(9, 7000));
    }

    @Test
    void nobodyElseHasToHoldTheMapping() {
        MemoryRegion region = adopt(ALL);
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        pair.left().post(read(region, 0, BYTES));
        pair.left().sentOk(1, WcOpcode.RDMA_READ);
        pair.left().assertBytes(fileBytes(0, BYTES), 0);
    }

    @Test
    void aPartIsSharedWithFewerRightsAndEndsAlone() {
        assumeTrue(dut.shares(), "the device shares no regions between domains");
        MemoryRegion region = adopt(ALL);
        MemoryRegion part = rig.keep(pair.right().side.pd.share(region, 4000, 200, Access.REMOTE_READ));
        pair.left().post(read(part, 0, 200));
        pair.left().sentOk(1, WcOpcode.RDMA_READ);
        pair.left().assertBytes(fileBytes(4000, 200), 0);
        part.close();
        pair.left().post(read(region, 0, 8));
        pair.left().sentOk(1, WcOpcode.RDMA_READ);
        pair.left().post(read(part, 0, 8));
        pair.left().sentFails(1, WcStatus.REM_ACCESS_ERR);
    }

    @Test
    void rightsAreThoseThatWereAskedFor() {
        MemoryRegion region = adopt(Access.LOCAL_WRITE | Access.REMOTE_READ);
        pair.left().post(SendRequest.write(1, region.address(), region.rkey(), pair.left().sge(0, 8)).signalled());
        pair.left().sentFails(1, WcStatus.REM_ACCESS_ERR);
        assertArrayEquals(Pattern.bytes(1, BYTES), fileBytes(0, BYTES));
    }

    private void assumeCuts() {
        assumeTrue(dut.bearsCuts(), "the device bears no cuts of memory");
    }

    @Test
    void aFileThatIsCutCostsNoMoreThanItsQp() {
        assumeCuts();
        MemoryRegion region = adopt(ALL);
        cut();
        pair.left().post(read(region, 0, BYTES));
        Wc wc = pair.left().sent();
        if (pair.right().side.pd.pinsMemory()) {
            assertEquals(WcStatus.SUCCESS, wc.status(), "what is pinned stays");
            pair.left().assertBytes(Pattern.bytes(1, BYTES), 0);
        } else {
            assertNotEquals(WcStatus.SUCCESS, wc.status());
        }
        rig.pair().exercise(7);
        region.close();
        rig.pair().exercise(8);
    }

    @Test
    void whatAPeerWritesIsNotOfTheFileThatGrewAgain() {
        assumeCuts();
        assumeTrue(pair.right().side.pd.pinsMemory(), "the device pins no memory");
        MemoryRegion region = adopt(ALL);
        cut();
        write(0, new byte[BYTES]);
        pair.left().put(0, Pattern.bytes(4, BYTES));
        pair.left().post(SendRequest.write(1, region.address(), region.rkey(), pair.left().sge(0, BYTES)).signalled());
        pair.left().sentOk(1, WcOpcode.RDMA_WRITE);
        assertArrayEquals(new byte[BYTES], fileBytes(0, BYTES));
    }

    @Test
    void memoryThatIsNotThereIsNotPinned() {
        assumeCuts();
        assumeTrue(pair.right().side.pd.pinsMemory(), "the device pins no memory");
        MappedByteBuffer mapped = map();
        cut();
        var thrown = assertThrows(VerbsException.class, () -> pair.right().side.pd.adopt(mapped, ALL));
        assertTrue(thrown.getMessage().contains("mapped"), thrown.getMessage());
        pair.exercise(7);
    }

    @Test
    void inlineDataIsNotTakenFromWhatIsPinned() {
        assumeTrue(pair.right().side.pd.pinsMemory(), "the device pins no memory");
        MemoryRegion region = adopt(ALL);
        cut();
        assertThrows(VerbsException.class, () -> pair.right().tryPost(
                SendRequest.send(1, Sge.of(region, 0, 8)).inline().signalled()));
    }

    @Test
    void onlyMemoryThatCanBeReachedIsAdopted() {
        var pd = pair.right().side.pd;
        for (ByteBuffer wrong : new ByteBuffer[] {ByteBuffer.allocate(8), map().asReadOnlyBuffer(),
            ByteBuffer.allocateDirect(0)}) {
            var thrown = assertThrows(IllegalArgumentException.class, () -> pd.adopt(wrong, Access.LOCAL_WRITE));
            assertTrue(thrown.getMessage().contains("bytes=" + wrong.capacity()), thrown.getMessage());
        }
        assertThrows(IllegalArgumentException.class,
                () -> pd.adopt(map(), Access.LOCAL_WRITE | Access.REMOTE_ATOMIC));
    }
}
