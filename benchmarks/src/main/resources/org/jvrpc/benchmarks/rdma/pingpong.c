/*
 * SEND ping-pong of 16 bytes in C, by polling: what the Java loops are measured against. QP settings are those of
 * VerbsEnd and QpStates: RC, path MTU of the port, no inline data, every send signalled, send and receive CQs apart,
 * 32 receives posted and one posted anew for each that is taken.
 *
 *   pingpong SERVER-DEVICE CLIENT-DEVICE GID-INDEX ...
 *       ... server NAME FOLDER CLIENTS    answers "OK port", serves one client until input ends
 *       ... client NAME PORT INDEX        answers "OK", then each line
 *           latency WORKLOAD SETTLE-NS DURATION-NS MOST    by "OK ns:count ns:count ..."
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <infiniband/verbs.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { SIZE = 16, DEPTH = 32, SLOT = 64, SUB_BITS = 10, BUCKETS = 64 << SUB_BITS };

struct hello {
    uint32_t qpn, psn;
    union ibv_gid gid;
};

static struct ibv_qp *qp;
static struct ibv_cq *send_cq, *recv_cq;
static struct ibv_mr *mr;
static char *memory; /* DEPTH slots of receives, then one of sends */
static struct ibv_port_attr port;
static int gid_index;
static uint64_t sequence;
static uint32_t spare = DEPTH - 1; /* the slot that is posted next */
static uint64_t counts[BUCKETS];

static void die(const char *format, ...) {
    va_list args;
    va_start(args, format);
    printf("FAIL ");
    vprintf(format, args);
    printf("\n");
    va_end(args);
    fflush(stdout);
    exit(1);
}

static uint64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t) t.tv_sec * 1000000000u + (uint64_t) t.tv_nsec;
}

static void post_receive(void) {
    struct ibv_sge sge = {(uintptr_t) memory + spare * SLOT, SLOT, mr->lkey};
    struct ibv_recv_wr wr = {.wr_id = spare, .sg_list = &sge, .num_sge = 1}, *bad;
    if (ibv_post_recv(qp, &wr, &bad)) {
        die("ibv_post_recv refused");
    }
}

static void post_send(void) {
    char *out = memory + DEPTH * SLOT;
    memcpy(out, &sequence, sizeof sequence);
    memcpy(out + 8, &sequence, sizeof sequence);
    struct ibv_sge sge = {(uintptr_t) out, SIZE, mr->lkey};
    struct ibv_send_wr wr = {.wr_id = sequence, .sg_list = &sge, .num_sge = 1, .opcode = IBV_WR_SEND,
        .send_flags = IBV_SEND_SIGNALED}, *bad;
    if (ibv_post_send(qp, &wr, &bad)) {
        die("ibv_post_send refused");
    }
}

static uint64_t await(struct ibv_cq *cq, uint32_t *bytes) {
    struct ibv_wc wc;
    int n;
    do {
        n = ibv_poll_cq(cq, 1, &wc);
    } while (n == 0);
    if (n < 0 || wc.status != IBV_WC_SUCCESS) {
        die("completion: n=%d status=%s", n, n < 0 ? "-" : ibv_wc_status_str(wc.status));
    }
    *bytes = wc.byte_len;
    return wc.wr_id;
}

/* Waits for the message that carries the sequence number. */
static void receive(void) {
    uint32_t bytes;
    spare = (uint32_t) await(recv_cq, &bytes);
    uint64_t words[2];
    memcpy(words, memory + spare * SLOT, sizeof words);
    if (bytes != SIZE || words[0] != sequence || words[1] != sequence) {
        die("message %" PRIu64 " of %u bytes instead of %" PRIu64, words[0], bytes, sequence);
    }
}

static void reap(void) {
    uint32_t bytes;
    await(send_cq, &bytes);
}

static void call(void) {
    sequence++;
    post_send();
    post_receive();
    receive();
    reap();
}

static void *serve(void *unused) {
    (void) unused;
    for (;;) {
        sequence++;
        receive();
        post_send();
        post_receive();
        reap();
    }
    return NULL;
}

static void modify(struct ibv_qp_attr *attr, int mask, const char *to) {
    if (ibv_modify_qp(qp, attr, mask)) {
        die("ibv_modify_qp to %s refused", to);
    }
}

static struct hello open_qp(const char *device) {
    struct ibv_device **list = ibv_get_device_list(NULL);
    struct ibv_context *context = NULL;
    for (int i = 0; list && list[i]; i++) {
        if (!strcmp(ibv_get_device_name(list[i]), device)) {
            context = ibv_open_device(list[i]);
        }
    }
    if (!context || ibv_query_port(context, 1, &port)) {
        die("cannot open device %s", device);
    }
    struct ibv_pd *pd = ibv_alloc_pd(context);
    send_cq = ibv_create_cq(context, DEPTH, NULL, NULL, 0);
    recv_cq = ibv_create_cq(context, 2 * DEPTH, NULL, NULL, 0);
    memory = aligned_alloc(4096, 4096);
    if (!pd || !send_cq || !recv_cq || !memory) {
        die("cannot make PD, CQs or memory");
    }
    memset(memory, 0, 4096);
    mr = ibv_reg_mr(pd, memory, 4096, IBV_ACCESS_LOCAL_WRITE);
    struct ibv_qp_init_attr init = {.send_cq = send_cq, .recv_cq = recv_cq, .qp_type = IBV_QPT_RC,
        .cap = {.max_send_wr = DEPTH, .max_recv_wr = DEPTH, .max_send_sge = 1, .max_recv_sge = 1}};
    qp = mr ? ibv_create_qp(pd, &init) : NULL;
    if (!qp) {
        die("cannot make MR or QP");
    }
    struct ibv_qp_attr attr = {.qp_state = IBV_QPS_INIT, .port_num = 1};
    modify(&attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS, "INIT");
    struct hello own = {.qpn = qp->qp_num, .psn = (uint32_t) now() & 0xffffff};
    if (ibv_query_gid(context, 1, gid_index, &own.gid)) {
        die("no GID with index %d", gid_index);
    }
    for (spare = 0; spare < DEPTH - 1; spare++) {
        post_receive();
    }
    return own;
}

static void connect_qp(struct hello own, struct hello peer) {
    struct ibv_qp_attr attr = {.qp_state = IBV_QPS_RTR, .path_mtu = port.active_mtu, .dest_qp_num = peer.qpn,
        .rq_psn = peer.psn, .max_dest_rd_atomic = 16, .min_rnr_timer = 1,
        .ah_attr = {.is_global = 1, .port_num = 1,
            .grh = {.dgid = peer.gid, .sgid_index = (uint8_t) gid_index, .hop_limit = 64}}};
    modify(&attr, IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN
        | IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER, "RTR");
    attr = (struct ibv_qp_attr) {.qp_state = IBV_QPS_RTS, .sq_psn = own.psn, .timeout = 14, .retry_cnt = 6,
        .rnr_retry = 7, .max_rd_atomic = 16};
    modify(&attr, IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN
        | IBV_QP_MAX_QP_RD_ATOMIC, "RTS");
}

static void exchange(int fd, struct hello own) {
    struct hello peer;
    if (write(fd, &own, sizeof own) != sizeof own || recv(fd, &peer, sizeof peer, MSG_WAITALL) != sizeof peer) {
        die("the peer ended while endpoints were exchanged");
    }
    connect_qp(own, peer);
    char ready = 1; /* both are in RTS before the first message */
    if (write(fd, &ready, 1) != 1 || recv(fd, &ready, 1, MSG_WAITALL) != 1) {
        die("the peer ended before it was connected");
    }
}

static struct sockaddr_in loopback(int tcp) {
    return (struct sockaddr_in) {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
        .sin_port = htons((uint16_t) tcp)};
}

static int run_server(struct hello own) {
    struct sockaddr_in address = loopback(0);
    socklen_t length = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(listener, (struct sockaddr *) &address, length) || listen(listener, 1)
            || getsockname(listener, (struct sockaddr *) &address, &length)) {
        die("cannot listen");
    }
    printf("OK %d\n", ntohs(address.sin_port));
    fflush(stdout);
    int fd = accept(listener, NULL, NULL);
    exchange(fd, own);
    pthread_t thread;
    if (pthread_create(&thread, NULL, serve, NULL)) {
        die("no thread");
    }
    while (getchar() != EOF) {
    }
    return 0;
}

/* Buckets of 1/1024 of their value. */
static void count(uint64_t ns) {
    int shift = ns >> (SUB_BITS + 1) ? 63 - __builtin_clzll(ns) - SUB_BITS : 0;
    counts[((uint64_t) shift << SUB_BITS) + (ns >> shift)]++;
}

static uint64_t value(uint64_t bucket) {
    uint64_t shift = bucket >> SUB_BITS ? (bucket >> SUB_BITS) - 1 : 0;
    return shift ? ((bucket & ((1u << SUB_BITS) - 1)) + (1u << SUB_BITS)) << shift : bucket;
}

static void latency(uint64_t settle_ns, uint64_t duration_ns, uint64_t most) {
    uint64_t end = now() + settle_ns;
    while (now() < end) {
        call();
    }
    memset(counts, 0, sizeof counts);
    end = now() + duration_ns;
    uint64_t after;
    do {
        uint64_t before = now();
        call();
        after = now();
        count(after - before);
    } while (--most > 0 && after < end);
    printf("OK");
    for (uint64_t i = 0; i < BUCKETS; i++) {
        if (counts[i]) {
            printf(" %" PRIu64 ":%" PRIu64, value(i), counts[i]);
        }
    }
    printf("\n");
    fflush(stdout);
}

static int run_client(struct hello own, int tcp) {
    struct sockaddr_in address = loopback(tcp);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(fd, (struct sockaddr *) &address, sizeof address)) {
        die("cannot connect to port %d", tcp);
    }
    exchange(fd, own);
    printf("OK\n");
    fflush(stdout);
    char line[256];
    while (fgets(line, sizeof line, stdin)) {
        uint64_t settle_ns, duration_ns, most;
        if (sscanf(line, "latency %*s %" SCNu64 " %" SCNu64 " %" SCNu64, &settle_ns, &duration_ns, &most) != 3) {
            die("unknown command");
        }
        latency(settle_ns, duration_ns, most);
    }
    return 0;
}

int main(int argc, char **argv) {
    if (argc != 8) {
        die("usage: pingpong SERVER-DEVICE CLIENT-DEVICE GID-INDEX server|client NAME FOLDER|PORT NUMBER");
    }
    int server = !strcmp(argv[4], "server");
    gid_index = atoi(argv[3]);
    struct hello own = open_qp(argv[server ? 1 : 2]);
    return server ? run_server(own) : run_client(own, atoi(argv[6]));
}
