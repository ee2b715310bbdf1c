package org.jvrpc.api.admin;

/** One setting of a server. */
public record Setting(String name, String value) {
}
