/**
 * The files that processes of one host share: a user's directory, the folder of each device with its slabs, who lives
 * by their locks, names that are listened at, and what is swept up of the dead. Must never know a connection or a queue
 * pair. Internal: public for the module's other rooms. Any thread.
 */
package org.jvrpc.softrnic.shm.folder;
