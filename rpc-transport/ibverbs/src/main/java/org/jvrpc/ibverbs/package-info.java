/**
 * Devices of real RDMA for addresses {@code rdma://host:port}: opens them, chooses the driver, connects. Owns addresses
 * and the list of devices; must never know RPC. The only room that knows jnr-ffi, and nothing loads a native library
 * before such an address, or the list of devices, is asked for.
 *
 * <p>Drivers: {@code rxe} and {@code mlx5} work on the device's rings from Java, {@code generic} calls libibverbs for
 * each post and poll.
 */
package org.jvrpc.ibverbs;
