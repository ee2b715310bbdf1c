/**
 * RedN offloads: programs made of verbs that change each other, and run where the queues are, without a CPU that calls
 * them. Builds programs into the send rings of cross-channel QPs, checks their order, prints and draws them. Knows
 * verbs and the mlx5 formats; knows neither RPC nor which device runs the queues. One thread builds a program.
 */
package org.jvrpc.offload;
