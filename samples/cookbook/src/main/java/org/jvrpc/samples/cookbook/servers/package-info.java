/** Examples of one server and several: where they are, whom they serve, how much. */
package org.jvrpc.samples.cookbook.servers;
