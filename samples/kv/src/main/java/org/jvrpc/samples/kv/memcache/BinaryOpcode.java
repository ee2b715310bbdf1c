package org.jvrpc.samples.kv.memcache;

/** Opcodes of the binary protocol. */
final class BinaryOpcode {

    static final int GET = 0x00;
    static final int SET = 0x01;
    static final int ADD = 0x02;
    static final int REPLACE = 0x03;
    static final int DELETE = 0x04;
    static final int INCREMENT = 0x05;
    static final int DECREMENT = 0x06;
    static final int QUIT = 0x07;
    static final int FLUSH = 0x08;
    static final int GETQ = 0x09;
    static final int NOOP = 0x0a;
    static final int VERSION = 0x0b;
    static final int GETK = 0x0c;
    static final int GETKQ = 0x0d;
    static final int APPEND = 0x0e;
    static final int PREPEND = 0x0f;
    static final int STAT = 0x10;
    static final int SETQ = 0x11;
    static final int PREPENDQ = 0x1a;
    static final int VERBOSITY = 0x1b;
    static final int TOUCH = 0x1c;
    static final int GAT = 0x1d;
    static final int GATQ = 0x1e;
    static final int SASL_LIST = 0x20;
    static final int SASL_AUTH = 0x21;
    static final int SASL_STEP = 0x22;
    static final int GATK = 0x23;
    static final int GATKQ = 0x24;

    private static final int[] LOUD_OF_QUIET =
        {SET, ADD, REPLACE, DELETE, INCREMENT, DECREMENT, QUIT, FLUSH, APPEND, PREPEND};

    private BinaryOpcode() {
    }

    /** Returns the same command that always answers; itself where it does already. */
    static int loud(int opcode) {
        if (opcode >= SETQ && opcode <= PREPENDQ) {
            return LOUD_OF_QUIET[opcode - SETQ];
        }
        switch (opcode) {
            case GETQ:
                return GET;
            case GETKQ:
                return GETK;
            case GATQ:
                return GAT;
            case GATKQ:
                return GATK;
            default:
                return opcode;
        }
    }
}
