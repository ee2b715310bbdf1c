/** What was sent to other hosts and is not complete. Knows no QP and no path. The worker's thread. */
package org.jvrpc.router.engine.sent;
