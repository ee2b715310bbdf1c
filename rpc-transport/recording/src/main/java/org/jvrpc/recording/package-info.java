/**
 * Recorded conversations. A {@link org.jvrpc.recording.RecordingProxy} stands in front of a server and writes what it
 * is asked and answers to a file; a {@link org.jvrpc.recording.ReplayServer} answers from such a file, and a
 * {@link org.jvrpc.recording.Replay} asks a server again and says what differs. No code of the services is needed: they
 * are learned by reflection, and values are JSON.
 *
 * <p>It owns the file's format; it must never know JUnit or a command line. Room {@code json} has values as JSON,
 * {@code dynamic} services without their code.
 */
package org.jvrpc.recording;
