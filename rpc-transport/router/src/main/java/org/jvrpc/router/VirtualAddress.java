package org.jvrpc.router;

import org.jvrpc.softrnic.router.wire.AddressText;

/**
 * A virtual address. Two texts of one number are equal.
 *
 * @param text a number of IPv4 or IPv6 in its one normal form, never a name that is to be resolved
 */
public record VirtualAddress(String text) {

    /** @throws IllegalArgumentException for what is no such number */
    public VirtualAddress {
        text = AddressText.parse(text).getHostAddress();
    }

    @Override
    public String toString() {
        return text;
    }
}
