/** How much of a heap requests take. */
package org.jvrpc.runtime.amplify;
