package org.jvrpc.recording;

import java.io.IOException;

/** A file that is no recording, is one of another version, or is cut or damaged. The message names the file and why. */
public final class RecordingException extends IOException {

    private static final long serialVersionUID = 1L;

    RecordingException(String message) {
        super(message);
    }
}
