/**
 * The search for schedules of faults under which the RC service breaks its promises, and their reduction to small ones.
 */
package org.jvrpc.fabric.search;
