/**
 * Data structures that programs read: buckets, list nodes and arrays laid out so that a READ puts their bytes into a
 * work request as they are. Offsets and lengths are bytes. One thread writes a structure; programs read it meanwhile.
 */
package org.jvrpc.offload.table;
