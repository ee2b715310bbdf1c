/**
 * Layouts of connection management messages (MADs of 256 bytes to QP 1), one class of offsets for each, and immutable
 * records of the two that carry a connection's attributes. Owns every offset in a MAD and the checks of a single
 * message; knows no state of a connection. Buffers are big-endian and absolute offsets start at the MAD. One thread a
 * buffer.
 *
 * <p>Sources: InfiniBand Architecture Specification, volume 1, chapters 12 and 13, annex A11; Linux,
 * include/rdma/ibta_vol1_c12.h and drivers/infiniband/core/cma_priv.h.
 */
package org.jvrpc.roce.cm.message;
