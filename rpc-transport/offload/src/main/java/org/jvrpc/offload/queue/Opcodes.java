package org.jvrpc.offload.queue;

import org.jvrpc.mlx5.Wqe;

/** Names of opcodes as listings show them. */
public final class Opcodes {

    private Opcodes() {
    }

    /** Returns the name in listings, for instance {@code CAS}. */
    public static String name(int opcode, int opmod) {
        return switch (opcode) {
            case Wqe.NOP -> "NOP";
            case Wqe.RDMA_WRITE -> "WRITE" + calculation(opmod);
            case Wqe.RDMA_WRITE_IMM -> "WRITE_IMM";
            case Wqe.SEND -> "SEND" + calculation(opmod);
            case Wqe.SEND_IMM -> "SEND_IMM";
            case Wqe.RDMA_READ -> "READ";
            case Wqe.ATOMIC_CS -> "CAS";
            case Wqe.ATOMIC_FA -> "FA";
            case Wqe.ATOMIC_MASKED_CS -> "MASKED_CAS";
            case Wqe.ATOMIC_MASKED_FA -> "MASKED_FA";
            case Wqe.WAIT -> "WAIT";
            case Wqe.RECV_ENABLE -> "RECV_ENABLE";
            case Wqe.SEND_ENABLE -> "SEND_ENABLE";
            default -> "0x" + Integer.toHexString(opcode);
        };
    }

    private static String calculation(int opmod) {
        return switch (opmod) {
            case Wqe.CALC_ADD -> ".ADD";
            case Wqe.CALC_MAX -> ".MAX";
            case Wqe.CALC_AND -> ".AND";
            case Wqe.CALC_OR -> ".OR";
            case Wqe.CALC_XOR -> ".XOR";
            default -> "";
        };
    }
}
