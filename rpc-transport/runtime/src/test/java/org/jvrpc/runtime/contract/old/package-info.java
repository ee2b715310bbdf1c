/** One of two versions of an interface of one name. */
package org.jvrpc.runtime.contract.old;
