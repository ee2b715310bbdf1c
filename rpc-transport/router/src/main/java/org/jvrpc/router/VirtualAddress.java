package org.jvrpc.router;

/** A virtual address. @param text a number of IPv4 or IPv6, never a name that is to be resolved */
public record VirtualAddress(String text) {

    /** @throws IllegalArgumentException for what is no such number */
    public VirtualAddress {
        if (!text.matches("[0-9]{1,3}(\\.[0-9]{1,3}){3}|\\[?[0-9a-fA-F:]{2,39}\\]?")) {
            throw new IllegalArgumentException("virtual address=" + text + " is no number of IPv4 or IPv6");
        }
    }

    @Override
    public String toString() {
        return text;
    }
}
