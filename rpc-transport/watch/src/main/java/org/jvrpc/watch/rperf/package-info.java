/**
 * What {@code jvrpc rperf} measures with. A pair is a SEND over the wire and one by loopback of the same length, posted
 * together at T<sub>P</sub>; their completions are seen at T<sub>W</sub> and T<sub>L</sub>. Both have met what the
 * local end-point adds, and the responder's NIC acknowledges before its host knows, so that
 * RTT = (T<sub>W</sub> - T<sub>P</sub>) - (T<sub>L</sub> - T<sub>P</sub>) = T<sub>W</sub> - T<sub>L</sub>.
 * <p>A machine: it has no clock, thread or device, and asks its {@link org.jvrpc.watch.PairPort} for the time. One
 * thread. Times are in nanoseconds, sizes in bytes, rates in pairs a second.
 *
 * @see <a href="https://doi.org/10.1109/ISPASS48437.2020.00033">Katebzadeh, Costa, Grot: Evaluation of an InfiniBand
 *     Switch: Choose Latency or Bandwidth, but Not Both, ISPASS 2020</a>
 */
package org.jvrpc.watch.rperf;
