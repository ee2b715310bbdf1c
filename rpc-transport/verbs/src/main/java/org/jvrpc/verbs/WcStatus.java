package org.jvrpc.verbs;

/** How a work request ended. Source: ibv_poll_cq(3), enum ibv_wc_status; IBA volume 1, 11.6.2. */
public enum WcStatus {
    /** It did what it was posted for. */
    SUCCESS,
    /** A message longer than the receive's SGEs (responder), or than the device's limit (requester). */
    LOC_LEN_ERR,
    /** The WQE makes no sense: unknown opcode, wrong segments. */
    LOC_QP_OP_ERR,
    /** A local SGE outside its MR, of another PD, without the right, or with a dead lkey. */
    LOC_PROT_ERR,
    /** Not executed, because its QP went to ERR before. */
    WR_FLUSH_ERR,
    /** A memory window could not be bound. */
    MW_BIND_ERR,
    /** The responder's answer makes no sense. */
    BAD_RESP_ERR,
    /** A local SGE was refused while an inbound RDMA WRITE with immediate was handled. */
    LOC_ACCESS_ERR,
    /** The responder found the request invalid: too long for its receive, misaligned atomic. */
    REM_INV_REQ_ERR,
    /** The rkey is unknown, dead, of another PD, too short, or lacks the right. */
    REM_ACCESS_ERR,
    /** The responder could not complete the request for reasons of its own, for instance a bad lkey of a receive. */
    REM_OP_ERR,
    /** The responder does not answer: its QP is not ready, or its process is gone. */
    RETRY_EXC_ERR,
    /** The responder had no receive posted, more often than {@code rnrRetry}. */
    RNR_RETRY_EXC_ERR,
    /** The responder aborted the operation. */
    REM_ABORT_ERR,
    /** An error that has no name here; see {@link WorkCompletion#vendorError()}. */
    GENERAL_ERR
}
