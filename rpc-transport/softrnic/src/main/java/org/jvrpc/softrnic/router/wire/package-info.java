/** Layouts that a tenant's device and its router share. */
package org.jvrpc.softrnic.router.wire;
