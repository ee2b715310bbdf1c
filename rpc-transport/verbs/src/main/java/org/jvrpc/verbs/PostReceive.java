package org.jvrpc.verbs;

/** The stateful form of post_recv. Indices as in {@link PostSend}. Source: ibv_post_recv(3). */
public interface PostReceive extends StatefulVerbCall {

    /** Changes the id that the completion will carry. */
    PostReceive wrId(int wr, long wrId);

    /** Changes an SGE's address; offsets count from it. */
    PostReceive address(int wr, int sge, long address);

    /** Changes an SGE's address to {@code offset} bytes after the one it was made with, or set to since. */
    PostReceive offset(int wr, int sge, long offset);

    /** Changes an SGE's length in bytes. */
    PostReceive length(int wr, int sge, int length);

    /** Changes an SGE's key. */
    PostReceive lkey(int wr, int sge, int lkey);
}
