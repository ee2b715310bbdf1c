/** What travels beside the ends of calls with streams, on whatever carries them. */
package org.jvrpc.runtime.contract.beside;
