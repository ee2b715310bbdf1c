/**
 * Services on simulated hosts: generated stubs and skeletons whose messages are packets of RoCEv2's RC service, by the
 * state machines of {@code rpc-transport/roce}, in the simulated network of {@code rpc-transport/fabric}. Time is
 * virtual, and a run depends on nothing but its seed. What is simulated is the wire: sessions of the runtime, their
 * slots, credits and reconnection are not, nor are streams, object graphs, interceptors and retries. All of it is for
 * one thread, the test's, on which handlers run, too.
 */
package org.jvrpc.testkit.simulated;
