/**
 * What clients and servers with different versions of an interface can do for each other: two versions of one service
 * are compiled apart, each with the processor, and loaded by class loaders of their own.
 */
package org.jvrpc.runtime.contract.change;
