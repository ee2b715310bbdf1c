package org.jvrpc.softrnic.shm;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Addresses of the port: {@code shm://name}. */
public final class ShmAddress {

    private static final Pattern FORM = Pattern.compile("shm://([A-Za-z0-9_][A-Za-z0-9._-]{0,47})");

    private ShmAddress() {
    }

    /** Returns the name. @throws IllegalArgumentException when the address is not of the form */
    public static String parse(String address) {
        Matcher matcher = FORM.matcher(address);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("address=" + address + " is not shm://name with 1 to 48 letters, digits,"
                    + " dots, dashes and underscores, beginning with none of the first two");
        }
        return matcher.group(1);
    }
}
