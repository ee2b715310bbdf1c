package org.jvrpc.ibverbs.generic;

import org.jvrpc.verbs.WcStatus;
import org.jvrpc.verbs.WorkCompletion;

/**
 * What rxe's statuses mean in the words of verbs: it reports memory that must not be touched as a bad WQE, and a failed
 * receive under the name that the error has at the sender's. Bad WQEs do not get as far: a driver checks them. Source:
 * Linux 6.1, rxe_req.c, rxe_resp.c.
 */
final class RxeWords {

    private RxeWords() {
    }

    static void translateSend(WorkCompletion wc) {
        if (wc.status() == WcStatus.LOC_QP_OP_ERR) {
            say(wc, WcStatus.LOC_PROT_ERR);
        }
    }

    static void translateReceive(WorkCompletion wc) {
        switch (wc.status()) {
            case REM_INV_REQ_ERR -> say(wc, WcStatus.LOC_LEN_ERR);
            case LOC_QP_OP_ERR -> say(wc, WcStatus.LOC_PROT_ERR);
            case REM_ACCESS_ERR -> say(wc, WcStatus.LOC_ACCESS_ERR);
            default -> {
                return;
            }
        }
    }

    private static void say(WorkCompletion wc, WcStatus status) {
        wc.fail(wc.wrId(), wc.qpNumber(), status, wc.vendorError());
    }
}
