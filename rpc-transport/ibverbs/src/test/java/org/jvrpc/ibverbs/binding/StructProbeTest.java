package org.jvrpc.ibverbs.binding;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.ibverbs.core.Errno;
import org.jvrpc.ibverbs.core.WcReader;
import org.jvrpc.verbs.WcOpcode;
import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.WorkCompletion;

/** Every offset, size and number of the binding, against the C compiler and rdma-core's headers. */
final class StructProbeTest {

    private static final List<String> VERBS = List.of("<infiniband/verbs.h>");

    @TempDir
    private Path folder;

    @BeforeEach
    void loadLayouts() throws Exception {
        StructProbe.load(Layouts.class, WorkLayouts.class, CmLayouts.class);
        CCompiler.assume(StructProbe.headers(layouts()), folder);
    }

    /** The layouts of this package; those of drivers have probes of their own. */
    private static List<StructProbe.Layout> layouts() {
        List<String> headers = List.of("<infiniband/verbs.h>", "<rdma/rdma_cma.h>", "<poll.h>");
        return Struct.all().stream().filter(struct -> headers.contains(struct.header()))
                .map(StructProbe.Layout::of).toList();
    }

    @Test
    void structsAreAsTheCompilerLaysThemOut() throws Exception {
        List<StructProbe.Layout> layouts = layouts();
        assertTrue(layouts.size() >= 20, "structs=" + layouts.size());
        assertEquals(List.of(), StructProbe.differences(layouts, folder));
    }

    @Test
    void aWrongOffsetOrSizeIsFound() throws Exception {
        StructProbe.Layout right = StructProbe.Layout.of(WorkLayouts.SendWr.STRUCT);
        for (int i = 0; i < right.fields().size(); i++) {
            Struct.Field field = right.fields().get(i);
            assertOneDifference(with(right, i, new Struct.Field(field.name(), field.offset() + 1, field.bytes())));
            assertOneDifference(with(right, i, new Struct.Field(field.name(), field.offset(), field.bytes() * 2)));
        }
        assertOneDifference(new StructProbe.Layout(right.name(), right.header(), right.bytes() - 8, right.fields()));
    }

    private void assertOneDifference(StructProbe.Layout wrong) throws Exception {
        List<String> differences = StructProbe.differences(List.of(wrong), folder);
        assertEquals(1, differences.size(), differences::toString);
        assertTrue(differences.get(0).contains(wrong.name()), differences::toString);
    }

    private static StructProbe.Layout with(StructProbe.Layout layout, int index, Struct.Field field) {
        List<Struct.Field> fields = new ArrayList<>(layout.fields());
        fields.set(index, field);
        return new StructProbe.Layout(layout.name(), layout.header(), layout.bytes(), fields);
    }

    /** The int constants of a class by their C names. */
    private static Map<String, Long> constants(Class<?> type, String prefix) throws IllegalAccessException {
        Map<String, Long> constants = new LinkedHashMap<>();
        for (Field field : type.getDeclaredFields()) {
            if (Modifier.isStatic(field.getModifiers()) && field.getType() == int.class) {
                constants.put(prefix + field.getName(), (long) field.getInt(null));
            }
        }
        return constants;
    }

    private void assertNumbers(List<String> headers, Map<String, Long> java) throws Exception {
        CCompiler.assume(headers, folder);
        assertNotEquals(Map.of(), java);
        assertEquals(StructProbe.numbers(headers, java.keySet(), folder), java);
    }

    @Test
    void numbersOfVerbsAreThoseOfTheHeader() throws Exception {
        assertNumbers(VERBS, constants(Ibv.class, "IBV_"));
    }

    @Test
    void numbersOfConnectionManagementAreThoseOfTheHeader() throws Exception {
        assertNumbers(List.of("<rdma/rdma_cma.h>"), constants(LibRdmacm.class, ""));
    }

    @Test
    void numbersOfLibcAreThoseOfItsHeaders() throws Exception {
        assertNumbers(List.of("<sys/mman.h>", "<fcntl.h>", "<sys/eventfd.h>", "<poll.h>"), constants(LibC.class, ""));
    }

    @Test
    void errorNumbersAreThoseOfTheHeader() throws Exception {
        assertNumbers(List.of("<errno.h>"), constants(Errno.class, ""));
    }

    private static WorkCompletion read(long status, long opcode) {
        Native wc = Native.allocate(WorkLayouts.Wc.BYTES)
                .putLong(WorkLayouts.Wc.WR_ID, 7)
                .putInt(WorkLayouts.Wc.STATUS, (int) status)
                .putInt(WorkLayouts.Wc.OPCODE, (int) opcode);
        WorkCompletion read = new WorkCompletion();
        assertEquals(status == 0, WcReader.read(wc.buffer(), 0, false, read));
        assertEquals(7, read.wrId());
        return read;
    }

    @Test
    void statusesOfCompletionsAreThoseOfTheHeader() throws Exception {
        List<String> names = Stream.of(WcStatus.values()).map(status -> "IBV_WC_" + status.name()).toList();
        Map<String, Long> numbers = StructProbe.numbers(VERBS, names, folder);
        for (WcStatus status : WcStatus.values()) {
            long number = numbers.get("IBV_WC_" + status.name());
            assertEquals(status, read(number, 0).status(), () -> status + " number=" + number);
        }
        assertEquals(WcStatus.GENERAL_ERR, read(9999, 0).status());
        assertEquals(WcStatus.GENERAL_ERR, read(-1, 0).status());
    }

    @Test
    void opcodesOfCompletionsAreThoseOfTheHeader() throws Exception {
        Map<String, WcOpcode> opcodes = Map.of("IBV_WC_SEND", WcOpcode.SEND, "IBV_WC_RDMA_WRITE", WcOpcode.RDMA_WRITE,
                "IBV_WC_RDMA_READ", WcOpcode.RDMA_READ, "IBV_WC_COMP_SWAP", WcOpcode.COMPARE_SWAP,
                "IBV_WC_FETCH_ADD", WcOpcode.FETCH_ADD, "IBV_WC_RECV", WcOpcode.RECV,
                "IBV_WC_RECV_RDMA_WITH_IMM", WcOpcode.RECV_RDMA_WITH_IMM);
        Map<String, Long> numbers = StructProbe.numbers(VERBS, opcodes.keySet(), folder);
        opcodes.forEach((name, opcode) -> assertEquals(opcode, read(0, numbers.get(name)).opcode(), name));
    }
}
