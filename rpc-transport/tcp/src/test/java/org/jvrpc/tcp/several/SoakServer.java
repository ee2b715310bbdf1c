package org.jvrpc.tcp.several;

import org.jvrpc.runtime.contract.several.SiteServer;
import org.jvrpc.testing.ChildJvm;
import org.jvrpc.testing.JavaCommand;
import org.jvrpc.testing.Parent;

/** A server that a soak ends and starts again: in this process, or one of its own, which a kill takes whole. */
interface SoakServer extends AutoCloseable {

    String address();

    void start();

    /** Takes it away without a word to anybody. */
    void kill();

    /** Has it take no new calls and end the others, and waits for that. */
    void drain();

    @Override
    void close();

    /** In this process. */
    final class Here implements SoakServer {

        private final SiteServer site;

        Here(String name, String address) {
            site = new SiteServer(name, address);
            site.open();
        }

        @Override
        public String address() {
            return site.address;
        }

        @Override
        public void start() {
            site.start();
        }

        @Override
        public void kill() {
            site.kill();
        }

        @Override
        public void drain() {
            site.drain();
        }

        @Override
        public void close() {
            site.close();
        }
    }

    /** In a process of its own. */
    final class Elsewhere implements SoakServer {

        private final String name;
        private final String address;
        private ChildJvm child;

        Elsewhere(String name, String address) {
            this.name = name;
            this.address = address;
            start();
        }

        @Override
        public String address() {
            return address;
        }

        @Override
        public void start() {
            child = JavaCommand.of(Elsewhere.class).arguments(name, address).start();
            child.expect("READY");
        }

        @Override
        public void kill() {
            child.kill();
            child.close();
        }

        @Override
        public void drain() {
            child.tell("drain");
            child.expectEnd();
            child.close();
        }

        @Override
        public void close() {
            child.close();
        }

        /** The child. @param arguments name and address */
        public static void main(String[] arguments) throws InterruptedException {
            SiteServer site = new SiteServer(arguments[0], arguments[1]);
            site.open();
            Parent.say("READY");
            String told = Parent.told();
            if (!told.equals("drain")) {
                throw new IllegalArgumentException("told=" + told);
            }
            site.drain();
            System.exit(0);
        }
    }
}
