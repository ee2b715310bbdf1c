/**
 * Captures, followed by the machines of {@code roce}: {@code Capture} finds packets, {@code Flow} the two QPs of a
 * connection, {@code Replay} has requesters and responders take what was captured and names where they would have done
 * otherwise, {@code WhatIf} has the messages of a flow sent again in a simulated network, with a packet lost. What a
 * file says is looked at before it is used: it may come from anywhere. One thread.
 */
package org.jvrpc.fabric.replay;
