package org.jvrpc.hdfs;

/** The server does not know the login of a call, for it is another life of it; nothing was done. */
final class StaleLogin extends Exception {

    private static final long serialVersionUID = 1L;

    StaleLogin() {
        super("login is of another life of the NameNode", null, false, false);
    }
}
