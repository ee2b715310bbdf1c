/**
 * Agents of {@code rperf} that are driven from one place, over TCP: one text line a command, one a reply, each with a
 * number and an HMAC over it, a nonce of either side and its direction, so that nobody can say, repeat or answer one
 * without the key. A connection has one measurement at most, an agent one at a time; it ends with its connection. Each
 * number has bounds, each wait an end. It knows nothing of devices. Classes say which threads may call.
 *
 * <pre>
 * agent:  jvrpc-rperf 2 NONCE                      NONCE: 32 hex digits; 2: the version
 * client: jvrpc-rperf 2 NONCE                      its own
 * client: NUMBER COMMAND [NAME=VALUE …] KEY-ID MAC       NUMBER from 0 on, MAC: 64 hex digits
 * agent:  NUMBER ok|error|running|done … KEY-ID MAC
 *
 * info                       ok device=ADDRESS
 * prepare to=ADDRESS …       ok, connected; error WORDS
 * start                      ok
 * stop                       ok: nothing more is posted
 * result                     running pairs=N; done NAME=VALUE …
 * </pre>
 * Values are percent-encoded.
 */
package org.jvrpc.watch.rperf.control;
