package org.jvrpc.spring;

/** What keeps a context from starting, with what to do about it. */
public final class JvrpcConfigurationException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final String action;

    /**
     * Describes it.
     *
     * @param message what is wrong, with names and values
     * @param action what to do
     */
    public JvrpcConfigurationException(String message, String action, Throwable cause) {
        super(message, cause);
        this.action = action;
    }

    /** Returns what to do about it. */
    public String action() {
        return action;
    }
}
