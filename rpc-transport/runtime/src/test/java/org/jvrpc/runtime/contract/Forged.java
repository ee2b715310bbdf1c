package org.jvrpc.runtime.contract;

/** A client's interface that lies about the types of {@link Calls#graph}; see {@link ForgedService}. */
interface Forged {

    String graphAsText(Calls.Node node);

    Calls.Node textAsGraph(String text);
}
