/**
 * Descriptions of a server's services for clients that were built without them, by
 * {@link org.jvrpc.api.reflection.Reflection}. What stands beside it is what jvrpc-codegen writes for it, kept here as
 * this module is compiled before that one; a test of jvrpc-codegen compares them.
 */
@NullMarked
package org.jvrpc.api.reflection;

import org.jspecify.annotations.NullMarked;
