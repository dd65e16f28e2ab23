package alidade;

import com.sun.jna.Callback;
import com.sun.jna.Pointer;

/** The function that C calls when a request has ended. */
public interface Completion extends Callback {
  void invoke(long request, Pointer userData);
}
