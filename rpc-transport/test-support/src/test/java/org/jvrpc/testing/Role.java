package org.jvrpc.testing;

import java.io.IOException;

/** What child processes of these tests do, by name. */
final class Role {

    private Role() {
    }

    public static void main(String[] arguments) throws InterruptedException, IOException {
        switch (arguments[0]) {
            case "ready" -> {
                Parent.say("READY " + System.getProperty(SharedMemoryFolder.PROPERTY));
                Parent.idle();
            }
            case "echo" -> {
                for (String line = Parent.told(); !line.equals("end"); line = Parent.told()) {
                    Parent.say("TOLD " + line);
                }
                System.err.println("on standard error");
                System.exit(7);
            }
            case "parent" -> {
                ChildJvm child = of("ready").start();
                child.expect("READY");
                Parent.say("CHILD " + child.pid());
                Parent.idle();
            }
            case "talks" -> {
                for (int i = 0; i < 100_000; i++) {
                    Parent.say("line " + i);
                }
                System.exit(0);
            }
            case "turn" -> {
                Turn turn = new Turn(arguments[1].equals("alone"));
                Parent.say("TURN");
                Parent.idle();
                turn.close();
            }
            default -> throw new IllegalArgumentException("no role " + arguments[0]);
        }
    }

    static JavaCommand of(String... arguments) {
        return JavaCommand.of(Role.class).option("-Xmx64m").arguments(arguments);
    }
}
