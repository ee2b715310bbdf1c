/**
 * One call with a callback: what hears of the call's end, and what says how that was, be it a slot or an answer that
 * was taken out of one. Must never know slots, sessions, nor when and by whom callbacks are called, which is the
 * client's. Internal: public for the room above. One thread at a time, the claimant's or that of whoever ends the call.
 * Units: times in nanoseconds.
 */
package org.jvrpc.runtime.client.callback;
