/**
 * The service by which a server describes itself to its operators: {@link org.jvrpc.api.admin.Admin}. What stands
 * beside it is what jvrpc-codegen writes for it, kept here as this module is compiled before that one; a test of
 * jvrpc-codegen compares them.
 */
@NullMarked
package org.jvrpc.api.admin;

import org.jspecify.annotations.NullMarked;
