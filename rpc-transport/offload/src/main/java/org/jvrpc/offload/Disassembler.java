package org.jvrpc.offload;

/** x. */
public final class Disassembler {
    private Disassembler() {
    }

    static String list(Program p) {
        return p.name();
    }
}
