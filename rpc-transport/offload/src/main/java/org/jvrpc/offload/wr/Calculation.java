package org.jvrpc.offload.wr;

import org.jvrpc.mlx5.Wqe;

/** What a WRITE or SEND may make of its words, which are big-endian and unsigned. */
public enum Calculation {
    /** Their sum. */
    ADD(Wqe.CALC_ADD),
    /** The greatest. */
    MAX(Wqe.CALC_MAX),
    /** The bits that all have. */
    AND(Wqe.CALC_AND),
    /** The bits that any has. */
    OR(Wqe.CALC_OR),
    /** The bits that an odd number of them have. */
    XOR(Wqe.CALC_XOR);

    private final int opmod;

    Calculation(int opmod) {
        this.opmod = opmod;
    }

    int opmod() {
        return opmod;
    }
}
