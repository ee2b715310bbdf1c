package org.jvrpc.tcp.tls;

import java.io.FileInputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.lang.reflect.Method;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;

/** The main class of a process that makes certificates: several times the JDK's tool, which takes a second to begin. */
final class KeytoolMain {

    private KeytoolMain() {
    }

    /** @param arguments commands of the tool, each behind {@code --}; {@code revoke} alias store password, file */
    public static void main(String[] arguments) throws Exception {
        List<String> command = new ArrayList<>();
        for (String argument : arguments) {
            if (argument.equals("--")) {
                run(command);
                command.clear();
            } else {
                command.add(argument);
            }
        }
        run(command);
    }

    private static void run(List<String> command) throws Exception {
        if (command.isEmpty()) {
            return;
        }
        List<String> all = command;
        if (command.get(0).equals("revoke")) {
            KeyStore store = KeyStore.getInstance("PKCS12");
            try (InputStream in = new FileInputStream(command.get(2))) {
                store.load(in, command.get(3).toCharArray());
            }
            String number = ((X509Certificate) store.getCertificate(command.get(1))).getSerialNumber().toString();
            all = List.of("-gencrl", "-rfc", "-alias", "ca", "-id", number, "-keystore", command.get(2), "-storepass",
                    command.get(3), "-file", command.get(4));
        }
        Class<?> tool = Class.forName("sun.security.tools.keytool.Main");
        Method run = tool.getDeclaredMethod("run", String[].class, PrintStream.class);
        run.setAccessible(true);
        var made = tool.getDeclaredConstructor();
        made.setAccessible(true);
        run.invoke(made.newInstance(), all.toArray(String[]::new), System.out);
    }
}
