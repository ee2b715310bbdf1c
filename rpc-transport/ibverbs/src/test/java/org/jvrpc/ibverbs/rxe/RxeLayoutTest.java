package org.jvrpc.ibverbs.rxe;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Field;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.ibverbs.binding.CCompiler;
import org.jvrpc.ibverbs.binding.Struct;
import org.jvrpc.ibverbs.binding.StructProbe;
import org.jvrpc.ibverbs.binding.WorkLayouts;

/** The formats of the kernel's commands and of rxe's rings, against the C compiler and the kernel's headers. */
final class RxeLayoutTest {

    private static final List<String> HEADERS =
            List.of("<rdma/ib_user_verbs.h>", "<rdma/rdma_user_rxe.h>", "<infiniband/verbs.h>");

    @TempDir
    private Path folder;

    @BeforeEach
    void needCompiler() throws Exception {
        CCompiler.assume(HEADERS, folder);
    }

    @Test
    void ringsWqesAndCommandsAreAsTheCompilerLaysThemOut() throws Exception {
        StructProbe.load(UverbsLayouts.class);
        List<StructProbe.Layout> layouts = new ArrayList<>();
        for (Struct own : List.of(RxeQueue.STRUCT, RxeSendWqe.STRUCT, RxeReceiveWqe.STRUCT)) {
            layouts.add(StructProbe.Layout.of(own));
        }
        for (Class<?> layout : UverbsLayouts.class.getDeclaredClasses()) {
            Field struct = layout.getDeclaredField("STRUCT");
            layouts.add(StructProbe.Layout.of((Struct) struct.get(null)));
        }
        assertEquals(21, layouts.size());
        assertEquals(List.of(), StructProbe.differences(layouts, folder));
    }

    @Test
    void aCqeOfRxeIsLaidOutAsAnIbvWc() throws Exception {
        for (Field field : UverbsLayouts.UverbsWc.class.getDeclaredFields()) {
            if (field.getType() == int.class) {
                Field same = WorkLayouts.Wc.class.getDeclaredField(field.getName());
                assertEquals(same.getInt(null), field.getInt(null), field.getName());
            }
        }
    }

    @Test
    void numbersOfCommandsAreThoseOfTheHeader() throws Exception {
        Map<String, Long> java = new TreeMap<>();
        for (Field field : UverbsLayouts.class.getDeclaredFields()) {
            java.put("IB_USER_VERBS_CMD_" + field.getName(), (long) field.getInt(null));
        }
        assertEquals(new TreeMap<>(StructProbe.numbers(HEADERS, java.keySet(), folder)), java);
    }
}
