/**
 * Where agents find each other: a file, a folder, or ZooKeeper. The list known last stays while whoever keeps it is
 * gone. What is read is checked before it is used. Any thread.
 */
package org.jvrpc.watch.registry;
