package org.jvrpc.hdfs;

/** What a method of the NameNode threw, in the parts that Hadoop's own transport carries. */
final class CallFailureException extends Exception {

    private static final long serialVersionUID = 1L;

    private final String className;
    private final String text;
    private final int status;
    private final int code;

    /**
     * @param className name of the exception's class
     * @param text message and stack, as Hadoop sends them
     * @param status number of an {@code RpcStatusProto}
     * @param code number of an {@code RpcErrorCodeProto}
     */
    CallFailureException(String className, String text, int status, int code) {
        super(null, null, false, false); // it only carries: the stack that matters is in the text
        this.className = className;
        this.text = text;
        this.status = status;
        this.code = code;
    }

    public String className() {
        return className;
    }

    public String text() {
        return text;
    }

    public int status() {
        return status;
    }

    public int code() {
        return code;
    }

    @Override
    public String getMessage() {
        return className + ": " + text;
    }
}
