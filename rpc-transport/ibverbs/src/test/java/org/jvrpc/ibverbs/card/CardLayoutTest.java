package org.jvrpc.ibverbs.card;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.jvrpc.ibverbs.binding.CCompiler;
import org.jvrpc.ibverbs.binding.LibMlx5;
import org.jvrpc.ibverbs.binding.Mlx5Layouts;
import org.jvrpc.ibverbs.binding.QpCommandLayouts;
import org.jvrpc.ibverbs.binding.Struct;
import org.jvrpc.ibverbs.binding.StructProbe;
import org.jvrpc.mlx5.AddressVector;
import org.jvrpc.mlx5.Cqe;
import org.jvrpc.mlx5.SharedReceiveWqe;
import org.jvrpc.mlx5.Syndrome;
import org.jvrpc.mlx5.Wqe;
import org.jvrpc.verbs.WcStatus;

/** Everything that is believed of direct verbs, of the kernel's commands and of a card's formats, against C headers. */
final class CardLayoutTest {

    private static final List<String> DIRECT = List.of("<infiniband/mlx5dv.h>");
    private static final List<String> COMMANDS = List.of("<rdma/ib_user_verbs.h>", "<rdma/mlx5-abi.h>");

    @TempDir
    private Path folder;

    @Test
    void structsAreAsTheCompilerLaysThemOut() throws Exception {
        StructProbe.load(Mlx5Layouts.class, QpCommandLayouts.class);
        List<String> names = List.of("mlx5", "ibv_cq_init_attr_ex", "ib_uverbs_cmd_hdr", "ib_uverbs_ex_", "_qp");
        List<StructProbe.Layout> layouts = Struct.all().stream()
                .filter(struct -> names.stream().anyMatch(struct.name()::contains))
                .map(StructProbe.Layout::of).toList();
        CCompiler.assume(StructProbe.headers(layouts), folder);
        assertTrue(layouts.size() >= 19, "structs=" + layouts.size());
        assertEquals(List.of(), StructProbe.differences(layouts, folder));
    }

    private static Map<String, Long> constants(Class<?> type) throws IllegalAccessException {
        Map<String, Long> constants = new LinkedHashMap<>();
        for (Field field : type.getDeclaredFields()) {
            if (Modifier.isStatic(field.getModifiers()) && field.getType().isPrimitive()) {
                constants.put(field.getName(), ((Number) field.get(null)).longValue());
            }
        }
        return constants;
    }

    private void assertNumbers(List<String> headers, Map<String, Long> java) throws Exception {
        CCompiler.assume(headers, folder);
        assertTrue(java.size() >= 6, java::toString);
        assertEquals(StructProbe.numbers(headers, java.keySet(), folder), java);
    }

    @Test
    void numbersOfDirectVerbsAreThoseOfTheHeader() throws Exception {
        assertNumbers(DIRECT, constants(LibMlx5.class));
    }

    @Test
    void numbersOfCommandsAreThoseOfTheHeaders() throws Exception {
        assertNumbers(COMMANDS, constants(QpCommandLayouts.class));
    }

    private static void opcodes(Map<String, Long> numbers) {
        numbers.put("MLX5_OPCODE_NOP", (long) Wqe.NOP);
        numbers.put("MLX5_OPCODE_SEND", (long) Wqe.SEND);
        numbers.put("MLX5_OPCODE_SEND_IMM", (long) Wqe.SEND_IMM);
        numbers.put("MLX5_OPCODE_RDMA_WRITE", (long) Wqe.RDMA_WRITE);
        numbers.put("MLX5_OPCODE_RDMA_WRITE_IMM", (long) Wqe.RDMA_WRITE_IMM);
        numbers.put("MLX5_OPCODE_RDMA_READ", (long) Wqe.RDMA_READ);
        numbers.put("MLX5_OPCODE_ATOMIC_CS", (long) Wqe.ATOMIC_CS);
        numbers.put("MLX5_OPCODE_ATOMIC_FA", (long) Wqe.ATOMIC_FA);
        numbers.put("MLX5_OPCODE_ATOMIC_MASKED_CS", (long) Wqe.ATOMIC_MASKED_CS);
        numbers.put("MLX5_OPCODE_ATOMIC_MASKED_FA", (long) Wqe.ATOMIC_MASKED_FA);
        numbers.put("MLX5_CQE_REQ", (long) Cqe.REQ);
        numbers.put("MLX5_CQE_RESP_WR_IMM", (long) Cqe.RESP_WR_IMM);
        numbers.put("MLX5_CQE_RESP_SEND", (long) Cqe.RESP_SEND);
        numbers.put("MLX5_CQE_RESP_SEND_IMM", (long) Cqe.RESP_SEND_IMM);
        numbers.put("MLX5_CQE_RESP_SEND_INV", (long) Cqe.RESP_SEND_INV);
        numbers.put("MLX5_CQE_REQ_ERR", (long) Cqe.REQ_ERR);
        numbers.put("MLX5_CQE_RESP_ERR", (long) Cqe.RESP_ERR);
        numbers.put("MLX5_CQE_INVALID", (long) Cqe.INVALID);
        numbers.put("MLX5_INLINE_SCATTER_32", (long) Cqe.INLINE_32);
        numbers.put("MLX5_INLINE_SCATTER_64", (long) Cqe.INLINE_64);
        numbers.put("MLX5_WQE_CTRL_CQ_UPDATE", (long) Wqe.CE_ALWAYS);
        numbers.put("MLX5_WQE_CTRL_SOLICITED", (long) Wqe.SOLICITED);
        numbers.put("MLX5_WQE_CTRL_FENCE", (long) Wqe.FENCE);
        numbers.put("MLX5_SEND_WQE_BB", (long) Wqe.BLOCK);
        numbers.put("(unsigned)MLX5_INLINE_SEG", Wqe.INLINE & 0xffffffffL);
        numbers.put("MLX5_INVALID_LKEY", (long) Wqe.END_LKEY);
        numbers.put("(unsigned)MLX5_EXTENDED_UD_AV", AddressVector.EXTENDED & 0xffffffffL);
    }

    private static void offsets(Map<String, Long> numbers) {
        numbers.put("sizeof(struct mlx5_cqe64)", (long) Cqe.BYTES);
        numbers.put("offsetof(struct mlx5_cqe64, flags_rqpn)", (long) Cqe.FLAGS_RQPN);
        numbers.put("offsetof(struct mlx5_cqe64, srqn_uidx)", (long) Cqe.SRQN);
        numbers.put("offsetof(struct mlx5_cqe64, imm_inval_pkey)", (long) Cqe.IMMEDIATE);
        numbers.put("offsetof(struct mlx5_cqe64, byte_cnt)", (long) Cqe.BYTE_COUNT);
        numbers.put("offsetof(struct mlx5_cqe64, sop_drop_qpn)", (long) Cqe.TAIL);
        numbers.put("offsetof(struct mlx5_cqe64, wqe_counter)", Cqe.TAIL + 4L);
        numbers.put("offsetof(struct mlx5_cqe64, op_own)", Cqe.TAIL + 7L);
        numbers.put("offsetof(struct mlx5_err_cqe, vendor_err_synd)", (long) Cqe.VENDOR_ERROR);
        numbers.put("offsetof(struct mlx5_err_cqe, syndrome)", (long) Cqe.SYNDROME);
        numbers.put("sizeof(struct mlx5_wqe_ctrl_seg)", (long) Wqe.SEGMENT);
        numbers.put("offsetof(struct mlx5_wqe_ctrl_seg, qpn_ds)", (long) Wqe.QPN_DS);
        numbers.put("offsetof(struct mlx5_wqe_ctrl_seg, fm_ce_se)", (long) Wqe.FM_CE_SE);
        numbers.put("offsetof(struct mlx5_wqe_ctrl_seg, imm)", (long) Wqe.IMMEDIATE);
        numbers.put("sizeof(struct mlx5_wqe_raddr_seg)", (long) Wqe.SEGMENT);
        numbers.put("sizeof(struct mlx5_wqe_atomic_seg)", (long) Wqe.SEGMENT);
        numbers.put("offsetof(struct mlx5_wqe_atomic_seg, compare)", (long) Wqe.ATOMIC_COMPARE);
        numbers.put("offsetof(struct mlx5_wqe_data_seg, lkey)", (long) Wqe.DATA_LKEY);
        numbers.put("offsetof(struct mlx5_wqe_data_seg, addr)", (long) Wqe.DATA_ADDRESS);
        numbers.put("sizeof(struct mlx5_wqe_srq_next_seg)", (long) SharedReceiveWqe.DATA);
        numbers.put("offsetof(struct mlx5_wqe_srq_next_seg, next_wqe_index)", (long) SharedReceiveWqe.NEXT);
        numbers.put("sizeof(struct mlx5_wqe_av)", (long) AddressVector.BYTES);
        numbers.put("offsetof(struct mlx5_wqe_av, key)", (long) AddressVector.QKEY);
        numbers.put("offsetof(struct mlx5_wqe_av, dqp_dct)", (long) AddressVector.QPN);
        numbers.put("offsetof(struct mlx5_wqe_av, rlid)", (long) AddressVector.LID);
        numbers.put("offsetof(struct mlx5_wqe_av, hop_limit)", (long) AddressVector.HOP_LIMIT);
        numbers.put("offsetof(struct mlx5_wqe_av, grh_gid_fl)", (long) AddressVector.GRH);
        numbers.put("offsetof(struct mlx5_wqe_av, rgid)", (long) AddressVector.GID);
    }

    @Test
    void formatsOfTheMlx5ModuleAreThoseOfTheHeader() throws Exception {
        Map<String, Long> numbers = new LinkedHashMap<>();
        opcodes(numbers);
        offsets(numbers);
        assertNumbers(DIRECT, numbers);
    }

    @Test
    void syndromesAreThoseOfTheHeader() throws Exception {
        Map<WcStatus, String> names = new LinkedHashMap<>();
        names.put(WcStatus.LOC_LEN_ERR, "LOCAL_LENGTH_ERR");
        names.put(WcStatus.LOC_QP_OP_ERR, "LOCAL_QP_OP_ERR");
        names.put(WcStatus.LOC_PROT_ERR, "LOCAL_PROT_ERR");
        names.put(WcStatus.WR_FLUSH_ERR, "WR_FLUSH_ERR");
        names.put(WcStatus.MW_BIND_ERR, "MW_BIND_ERR");
        names.put(WcStatus.BAD_RESP_ERR, "BAD_RESP_ERR");
        names.put(WcStatus.LOC_ACCESS_ERR, "LOCAL_ACCESS_ERR");
        names.put(WcStatus.REM_INV_REQ_ERR, "REMOTE_INVAL_REQ_ERR");
        names.put(WcStatus.REM_ACCESS_ERR, "REMOTE_ACCESS_ERR");
        names.put(WcStatus.REM_OP_ERR, "REMOTE_OP_ERR");
        names.put(WcStatus.RETRY_EXC_ERR, "TRANSPORT_RETRY_EXC_ERR");
        names.put(WcStatus.RNR_RETRY_EXC_ERR, "RNR_RETRY_EXC_ERR");
        names.put(WcStatus.REM_ABORT_ERR, "REMOTE_ABORTED_ERR");
        Map<String, Long> numbers = new LinkedHashMap<>();
        names.forEach((status, name) -> numbers.put("MLX5_CQE_SYNDROME_" + name, (long) Syndrome.of(status)));
        assertNumbers(DIRECT, numbers);
    }
}
