/**
 * What the kernel lets this process have, as files below {@code /proc} and {@code /sys/fs/cgroup} say it, for every
 * module that asks. Owns their formats; must never know devices, nor decide what follows. Any thread. A file that is
 * missing limits nothing. Has, too, the seam to options of sockets that take native calls, which this module has not.
 */
package org.jvrpc.verbs.host;
