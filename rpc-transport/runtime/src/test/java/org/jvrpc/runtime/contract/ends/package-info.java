/** What tests note of calls whose ends race. Knows no client and no server. Many threads. */
package org.jvrpc.runtime.contract.ends;
