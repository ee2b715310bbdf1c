/**
 * Which of several servers gets a call: policies, what they are told of servers, and what servers must have to be used
 * at all. Public, for those who write a policy of their own; what users need is
 * {@link org.jvrpc.runtime.balance.LoadBalancing}. Policies have no clock, thread or random source but what is passed
 * in. Must never know sessions or transports. Threads: as each type says. Units: times in {@link java.time.Duration},
 * as settings are.
 */
@NullMarked
package org.jvrpc.runtime.balance;

import org.jspecify.annotations.NullMarked;
