package org.jvrpc.spring;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says in a few lines what keeps a context from starting, and what to do. */
final class JvrpcFailureAnalyzer extends AbstractFailureAnalyzer<JvrpcConfigurationException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, JvrpcConfigurationException cause) {
        String message = cause.getMessage();
        return new FailureAnalysis(Character.toUpperCase(message.charAt(0)) + message.substring(1) + ".",
                cause.action(), cause);
    }
}
