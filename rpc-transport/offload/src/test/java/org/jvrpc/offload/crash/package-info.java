/** Clients of programs, publishers of answers and applications of hulls that end, or stand, behind any store. */
package org.jvrpc.offload.crash;
