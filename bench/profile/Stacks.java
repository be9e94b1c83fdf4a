import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordingFile;

/**
 * Prints the stacks of a recording's samples of processor time, outermost frame first, one line for each kind with how
 * often it was seen: {@code a.B.c;d.E.f 17}. Samples whose stack could not be walked are the line {@code ? 3}.
 */
final class Stacks {
  private Stacks() {}

  public static void main(String[] arguments) throws IOException {
    Map<String, Integer> stacks = new LinkedHashMap<>();
    try (RecordingFile recording = new RecordingFile(Path.of(arguments[0]))) {
      while (recording.hasMoreEvents()) {
        RecordedEvent event = recording.readEvent();
        if (event.getEventType().getName().equals("jdk.CPUTimeSample")) {
          stacks.merge(stack(event), 1, Integer::sum);
        }
      }
    }
    stacks.forEach((stack, count) -> System.out.println(stack + " " + count));
  }

  private static String stack(RecordedEvent event) {
    if (event.getStackTrace() == null) {
      return "?";
    }
    StringBuilder line = new StringBuilder();
    for (RecordedFrame frame : event.getStackTrace().getFrames().reversed()) {
      line.append(line.isEmpty() ? "" : ";").append(frame.getMethod().getType().getName()).append('.');
      line.append(frame.getMethod().getName());
    }
    return line.toString();
  }
}
