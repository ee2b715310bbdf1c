/**
 * What a host adds to its NIC's time: {@code HostCosts} says how much, {@code HostPipe} is a way that takes it. Must
 * never know NICs. One thread.
 */
package org.jvrpc.fabric.cost;
