package org.acme;

import org.jvrpc.api.RpcService;

@RpcService
interface Exceptions {

    void noConstructor() throws NoConstructor; // ERROR exception org.acme.Exceptions.NoConstructor has no constructor to carry it: give it one whose parameters match accessors of the same name and type, or one of a String message, or one without parameters, accessible from org.acme

    void hiddenConstructor() throws HiddenConstructor; // ERROR exception org.acme.Exceptions.HiddenConstructor has no constructor to carry it: give it one whose parameters match accessors of the same name and type, or one of a String message, or one without parameters, accessible from org.acme

    void abstractOne() throws AbstractOne; // ERROR exception org.acme.Exceptions.AbstractOne is abstract: declare a class that can be made

    void inner() throws Outer.Inner; // ERROR org.acme.Exceptions.Outer.Inner is an inner class and would take its outer object along: make it static

    void tooWide() throws Throwable; // ERROR java.lang.Throwable is too wide to declare: an error of the server would pass for an answer; take Exception

    void error() throws StackOverflowError; // ERROR java.lang.StackOverflowError is too wide to declare: an error of the server would pass for an answer; take Exception

    void carriesThread() throws CarriesThread; // ERROR exception org.acme.Exceptions.CarriesThread has no constructor to carry it: give it one whose parameters match accessors of the same name and type, or one of a String message, or one without parameters, accessible from org.acme

    class NoConstructor extends Exception {
        private static final long serialVersionUID = 1L;

        NoConstructor(int number) {
        }
    }

    class HiddenConstructor extends Exception {
        private static final long serialVersionUID = 1L;

        private HiddenConstructor() {
        }
    }

    abstract class AbstractOne extends Exception {
        private static final long serialVersionUID = 1L;
    }

    class Outer {
        class Inner extends Exception {
            private static final long serialVersionUID = 1L;
        }
    }

    class CarriesThread extends Exception {
        private static final long serialVersionUID = 1L;

        CarriesThread(Thread thread) {
        }

        public Thread thread() {
            return null;
        }
    }
}
