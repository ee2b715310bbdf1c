/**
 * Lookups that clients have done by programs: which there are, who hosts them, who asks. A host makes queues, keys and
 * a program for each client that connects; the client sends its key and reads the answer from its own memory. Knows
 * programs and verbs; knows no RPC, and of values only that they begin with a word that is not zero, but for the reader
 * of tables. Lengths are bytes, times nanoseconds.
 */
package org.jvrpc.offload.lookup;
