/** UDP sockets: what addresses mean, what packets leave by, and the thread that takes them when nobody polls. */
package org.jvrpc.softrnic.roce.socket;
