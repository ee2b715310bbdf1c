/** What streams do, on whatever carries them. */
package org.jvrpc.runtime.contract.stream;
