package org.jvrpc.ibverbs.core;

import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.WorkCompletion;

/**
 * What rxe's statuses mean in the words of verbs. It reports memory that must not be touched as a bad WQE, and a failed
 * receive under the name that the error has at the sender's. Bad WQEs do not get as far: a driver checks them. Source:
 * Linux 6.1, rxe_req.c, rxe_resp.c.
 */
public final class RxeWords {

    private RxeWords() {
    }

    /** Names the failure of a send whose SGEs are not memory that the device may touch. */
    public static void untouchable(WorkCompletion wc) {
        wc.fail(wc.wrId(), wc.qpNumber(), WcStatus.LOC_PROT_ERR, wc.vendorError());
    }

    /**
     * Names the failure of a receive.
     *
     * @param mayScatter false when its SGEs are not memory that the device may write
     */
    public static void receive(WorkCompletion wc, boolean mayScatter) {
        WcStatus status = switch (wc.status()) {
            case REM_INV_REQ_ERR -> WcStatus.LOC_LEN_ERR;
            case LOC_QP_OP_ERR -> mayScatter ? WcStatus.LOC_LEN_ERR : WcStatus.LOC_PROT_ERR;
            case REM_ACCESS_ERR -> WcStatus.WR_FLUSH_ERR; // of a WRITE that was refused: the receive is not to blame
            default -> wc.status();
        };
        wc.fail(wc.wrId(), wc.qpNumber(), status, wc.vendorError());
    }
}
