/**
 * RedN offloads: programs made of verbs that change each other, and run where the queues are, without a CPU that calls
 * them. This package has the front doors: {@code ProgramBuilder} puts WRs into the send rings of cross-channel QPs,
 * {@code Program} is what comes out. The vocabulary is in {@code wr} and {@code queue}. Knows verbs and the mlx5
 * formats; knows neither RPC nor which device runs the queues. One thread builds a program.
 */
package org.jvrpc.offload;
