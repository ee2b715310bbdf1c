/*
 * What a provider of libibverbs does in post_send, with rxe's send WQE, into plain memory: takes the queue's lock,
 * walks the list of WRs, checks each and that there is room, copies it into the ring, counts the doorbell. No system
 * call, so that what is measured is the call and the work. Compiled into a library; post() has the signature of
 * ibv_context.ops.post_send, its QP may be anything, and the consumer is always done.
 */
#include <errno.h>
#include <infiniband/verbs.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

enum { SLOTS = 128, SLOT = 512, WQE = 208, MOST_SGES = 4, LAST_OPCODE = IBV_WR_ATOMIC_FETCH_AND_ADD };

static char ring[SLOTS][SLOT] __attribute__((aligned(64)));
static uint32_t producer;
static volatile uint32_t consumer;
static pthread_spinlock_t lock;
volatile uint64_t rings;

__attribute__((constructor)) static void begin(void) {
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
}

static void store(char *at, uint64_t value) {
    memcpy(at, &value, sizeof value);
}

static int post_one(struct ibv_send_wr *wr) {
    if (producer - consumer >= SLOTS) {
        return ENOMEM;
    }
    if (wr->num_sge > MOST_SGES || (int) wr->opcode > LAST_OPCODE) {
        return EINVAL;
    }
    char *wqe = ring[producer % SLOTS];
    uint64_t length = 0;
    for (int i = 0; i < wr->num_sge; i++) {
        memcpy(wqe + WQE + 16 * i, &wr->sg_list[i], 16);
        length += wr->sg_list[i].length;
    }
    store(wqe, wr->wr_id);
    store(wqe + 8, (uint64_t) wr->opcode << 32);
    store(wqe + 16, (uint64_t) wr->imm_data << 32 | wr->send_flags);
    if (wr->opcode == IBV_WR_RDMA_WRITE || wr->opcode == IBV_WR_RDMA_READ) {
        store(wqe + 24, wr->wr.rdma.remote_addr);
        store(wqe + 32, wr->wr.rdma.rkey);
        store(wqe + 152, wr->wr.rdma.remote_addr);
    }
    store(wqe + 144, 0);
    store(wqe + 176, producer);
    store(wqe + 184, length << 32 | length);
    store(wqe + 192, (uint64_t) wr->num_sge << 32);
    store(wqe + 200, 0);
    __atomic_store_n(&producer, producer + 1, __ATOMIC_RELEASE);
    return 0;
}

int post(struct ibv_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad) {
    (void) qp;
    int error = 0;
    pthread_spin_lock(&lock);
    for (; wr && !error; wr = wr->next) {
        error = post_one(wr);
        if (error) {
            *bad = wr;
        }
    }
    pthread_spin_unlock(&lock);
    rings++;
    consumer = producer;
    return error;
}
