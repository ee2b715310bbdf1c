package org.jvrpc.verbs;

/** What completed; defined for {@link WcStatus#SUCCESS} only. Source: ibv_poll_cq(3), enum ibv_wc_opcode. */
public enum WcOpcode {
    /** A SEND, with or without immediate, left. */
    SEND,
    /** An RDMA WRITE, with or without immediate, left. */
    RDMA_WRITE,
    /** An RDMA READ brought its data. */
    RDMA_READ,
    /** A compare-and-swap brought the old value. */
    COMPARE_SWAP,
    /** A fetch-and-add brought the old value. */
    FETCH_ADD,
    /** A SEND arrived in a receive. */
    RECV,
    /** An RDMA WRITE with immediate arrived and took a receive. */
    RECV_RDMA_WITH_IMM
}
