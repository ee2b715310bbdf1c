package org.jvrpc.codegen.parse;

/**
 * A signature names a type that does not exist yet. Another processor may write it: the service is read again in the
 * next round. When nobody does, the compiler itself reports the missing type.
 */
public final class UnresolvedTypeException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UnresolvedTypeException(Object type) {
        super("there is no type " + type, null, false, false);
    }
}
