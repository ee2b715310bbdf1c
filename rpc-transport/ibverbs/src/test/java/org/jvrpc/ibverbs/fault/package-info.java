/**
 * Faults of real RDMA: wires that lose, cut and come back, devices and peers that go, memory that is given back too
 * early, objects used in the wrong order. Each has to end in a status or an exception within its time, never in a hang
 * or a crash. Runs where these faults may be made: in the virtual machine, on devices of the tests' own.
 */
package org.jvrpc.ibverbs.fault;
