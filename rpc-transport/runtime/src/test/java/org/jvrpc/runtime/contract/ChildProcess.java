package org.jvrpc.runtime.contract;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.concurrent.Callable;
import org.jvrpc.testing.ChildJvm;
import org.jvrpc.testing.JavaCommand;
import org.jvrpc.testing.Parent;

/**
 * Servers in a child process, which serves one test after the other. What it is asked and what it answers are lines of
 * its standard input and output, as the transport under test must not carry them.
 */
public final class ChildProcess implements ServerProcess {

    private static final String END = "END";
    private static final String ANSWER = "ANSWER ";

    private final ChildJvm child;

    private ChildProcess(ChildJvm child) {
        this.child = child;
        child.expect("READY");
    }

    /** Starts one. */
    public static ChildProcess start() {
        return new ChildProcess(JavaCommand.of(ChildProcess.class).option("-Xmx768m").option("-ea")
                .errorsApart().start());
    }

    /** Returns true while it can be asked. */
    public boolean isAlive() {
        return child.isAlive();
    }

    /** Kills it. */
    public void kill() {
        child.close();
    }

    @Override
    @SuppressWarnings("unchecked") // what the work returned
    public <T> T ask(Work<T> work) {
        return (T) answer(encode(work));
    }

    /** Ends the test; the process stays. */
    @Override
    public void close() {
        answer(END);
    }

    /** Tells the child a line, and returns what it answers. One that does not is killed: the next test gets another. */
    private synchronized Object answer(String line) {
        Object answer;
        try {
            child.tell(line);
            answer = decode(child.expect(ANSWER));
        } catch (UncheckedIOException | AssertionError e) {
            child.kill();
            throw new AssertionError("the process of the servers is gone or hangs: " + child, e);
        }
        if (answer instanceof Thrown thrown) {
            thrown.failure.addSuppressed(new Exception("asked here"));
            if (thrown.failure instanceof RuntimeException e) {
                throw e;
            }
            if (thrown.failure instanceof Error e) {
                throw e;
            }
            throw new AssertionError("in the process of the servers", thrown.failure);
        }
        return answer;
    }

    /** What work threw. */
    private record Thrown(Throwable failure) implements java.io.Serializable {
    }

    /** Does what it is told until its parent ends. */
    public static void main(String[] arguments) throws InterruptedException {
        ServerSide side = new ServerSide();
        Parent.say("READY");
        while (true) {
            String line = Parent.told();
            ServerSide asked = side;
            if (line.equals(END)) {
                side = new ServerSide();
                say(() -> {
                    asked.close();
                    return null;
                });
            } else {
                say(() -> ((Work<?>) decode(line)).on(asked));
            }
        }
    }

    private static void say(Callable<?> work) {
        String answer;
        try {
            answer = encode(work.call());
        } catch (Throwable t) {
            answer = encodeFailure(t);
        }
        Parent.say(ANSWER + answer);
    }

    private static String encodeFailure(Throwable failure) {
        try {
            return encode(new Thrown(failure));
        } catch (UncheckedIOException e) { // it has something that does not travel
            StringWriter text = new StringWriter();
            failure.printStackTrace(new PrintWriter(text, true));
            return encode(new Thrown(new AssertionError(text)));
        }
    }

    private static String encode(Object object) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(object);
        } catch (IOException e) {
            throw new UncheckedIOException("what travels between test and servers is serializable", e);
        }
        return Base64.getEncoder().encodeToString(bytes.toByteArray());
    }

    private static Object decode(String line) {
        try (ObjectInputStream in = new ObjectInputStream(
                new ByteArrayInputStream(Base64.getDecoder().decode(line)))) {
            return in.readObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }
}
