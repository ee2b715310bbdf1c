package org.jvrpc.samples.containers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import org.jvrpc.tools.Jvrpc;

/**
 * Runs commands of jvrpc, each a line of standard input, in one process: a JVM each would take most of the sample's
 * time. Ends with the exit code of the first that fails.
 */
public final class Administrator {

    private Administrator() {
    }

    /** Runs. @throws IOException when standard input cannot be read */
    public static void main(String[] args) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        int status = 0;
        for (String line = lines.readLine(); line != null && status == 0; line = lines.readLine()) {
            System.out.println("jvrpc " + line);
            status = Jvrpc.run(line.split(" "));
        }
        System.exit(status);
    }
}
