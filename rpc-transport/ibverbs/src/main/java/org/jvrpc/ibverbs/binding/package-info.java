/**
 * The C side of real RDMA: exactly the functions of libibverbs, librdmacm and libc that are used, under their C names,
 * and the layouts of the structs that they take. Owns every call to jnr-ffi and every struct offset; must never know
 * what the calls are for.
 *
 * <p>Pointers are addresses in {@code long}s, lengths are bytes. Memory that C reads or writes is a
 * {@link org.jvrpc.ibverbs.binding.Native}. Any thread, as far as the man page of a function lets it.
 */
package org.jvrpc.ibverbs.binding;
