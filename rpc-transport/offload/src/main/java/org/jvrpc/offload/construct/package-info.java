/**
 * What a programmer says in other languages: if, while, break, indexed mov, and a Turing machine as the proof that it
 * is enough. Each adds WRs to a {@code ProgramBuilder} and says what they cost. Knows the root and its vocabulary; must
 * not know devices, lookups or listings. One thread.
 */
package org.jvrpc.offload.construct;
