/** Which calls may have run, retries and hedges, told by a server that counts. */
package org.jvrpc.runtime.retry;
