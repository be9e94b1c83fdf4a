import com.sun.jdi.Bootstrap;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.event.MethodEntryEvent;
import com.sun.jdi.event.MethodExitEvent;
import com.sun.jdi.request.EventRequest;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.Utf8Entry;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Figures of the house: types that stand in cycles, and the classes that one request meets. */
static final String OURS = "org/lrwp/";

static final Pattern IN_DESCRIPTOR = Pattern.compile("L(org/lrwp/[^;<]+)[;<]");
static final int BODY = 300;

/** By then all that a request does has been told. */
static final Duration SETTLED = Duration.ofSeconds(3);

void main(String[] args) throws Exception {
    if (args.length > 1 && args[0].equals("cycles")) {
        cycles(List.of(args).subList(1, args.length));
    } else if (args.length == 3 && args[0].equals("walk")) {
        walk(args[1], URI.create(args[2]));
    } else {
        System.err.println("java build-tools/House.java cycles CLASSES...   folders of class files");
        System.err.println("java build-tools/House.java walk PORT URL       PORT: of a JVM that runs with");
        System.err.println("    -agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:PORT");
        System.exit(2);
    }
}

// ---- Cycles.

/** Types of source files: what is nested or a lambda belongs to what it stands in. */
void cycles(List<String> folders) throws Exception {
    Map<String, Set<String>> knows = new TreeMap<>();
    for (String folder : folders) {
        try (var files = Files.walk(Path.of(folder))) {
            for (Path file : files.filter(one -> one.toString().endsWith(".class")).toList()) {
                ClassModel model = ClassFile.of().parse(file);
                String name = outer(model.thisClass().asInternalName());
                if (name.startsWith(OURS) && !name.endsWith("package-info")) {
                    knows.computeIfAbsent(name, one -> new TreeSet<>()).addAll(names(model));
                }
            }
        }
    }
    knows.forEach((name, known) -> known.removeIf(other -> other.equals(name) || !knows.containsKey(other)));
    List<List<String>> found = new Components(knows).found;
    found.sort((one, other) -> other.size() - one.size());
    int inCycles = found.stream().mapToInt(List::size).sum();
    System.out.printf("types %d, in cycles %d, cycles %d%n", knows.size(), inCycles, found.size());
    for (List<String> cycle : found) {
        System.out.printf("%4d %s%n", cycle.size(), String.join(" ", cycle.stream().map(this::simple).sorted().toList()));
    }
}

Set<String> names(ClassModel model) {
    Set<String> names = new TreeSet<>();
    for (PoolEntry entry : model.constantPool()) {
        if (entry instanceof ClassEntry one) {
            names.add(outer(one.asInternalName()));
        } else if (entry instanceof Utf8Entry text) {
            Matcher matcher = IN_DESCRIPTOR.matcher(text.stringValue());
            while (matcher.find()) {
                names.add(outer(matcher.group(1)));
            }
        }
    }
    return names;
}

String outer(String name) {
    int nested = name.indexOf('$');
    return nested < 0 ? name : name.substring(0, nested);
}

String simple(String name) {
    return name.substring(name.lastIndexOf('/') + 1);
}

/** Tarjan's strongly connected components of more than one type. */
static final class Components {
    final List<List<String>> found = new ArrayList<>();
    private final Map<String, Set<String>> knows;
    private final Map<String, Integer> index = new HashMap<>();
    private final Map<String, Integer> lowest = new HashMap<>();
    private final Deque<String> stack = new ArrayDeque<>();

    Components(Map<String, Set<String>> knows) {
        this.knows = knows;
        knows.keySet().forEach(name -> {
            if (!index.containsKey(name)) {
                visit(name);
            }
        });
    }

    private void visit(String name) {
        index.put(name, index.size());
        lowest.put(name, index.get(name));
        stack.push(name);
        for (String other : knows.get(name)) {
            if (!index.containsKey(other)) {
                visit(other);
                lowest.merge(name, lowest.get(other), Math::min);
            } else if (stack.contains(other)) {
                lowest.merge(name, index.get(other), Math::min);
            }
        }
        if (lowest.get(name).equals(index.get(name))) {
            List<String> component = new ArrayList<>();
            String one;
            do {
                one = stack.pop();
                component.add(one);
            } while (!one.equals(name));
            if (component.size() > 1) {
                found.add(component);
            }
        }
    }
}

// ---- A request.

/** Sends a small POST after one that warms up, and counts classes and moves between them. */
void walk(String port, URI url) throws Exception {
    var client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    var request = HttpRequest.newBuilder(url).POST(HttpRequest.BodyPublishers.ofByteArray(new byte[BODY])).build();
    int status = client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    VirtualMachine jvm = attach(port);
    List<EventRequest> watches = List.of(jvm.eventRequestManager().createMethodEntryRequest(), jvm.eventRequestManager().createMethodExitRequest());
    var entry = (com.sun.jdi.request.MethodEntryRequest) watches.get(0);
    var exit = (com.sun.jdi.request.MethodExitRequest) watches.get(1);
    entry.addClassFilter("org.lrwp.*");
    exit.addClassFilter("org.lrwp.*");
    watches.forEach(watch -> watch.setSuspendPolicy(EventRequest.SUSPEND_NONE));
    watches.forEach(EventRequest::enable);
    client.send(request, HttpResponse.BodyHandlers.discarding());
    Set<String> classes = new TreeSet<>();
    Map<Long, Deque<String>> stacks = new HashMap<>();
    int calls = 0;
    int moves = 0;
    String last = "";
    long end = System.nanoTime() + SETTLED.toNanos();
    EventSet events = jvm.eventQueue().remove(SETTLED.toMillis());
    while (events != null && System.nanoTime() < end) {
        for (Event event : events) {
            if (event instanceof MethodEntryEvent entered) {
                var stack = stacks.computeIfAbsent(entered.thread().uniqueID(), id -> new ArrayDeque<>());
                String name = name(entered.method().declaringType());
                if (isRequests(entered.thread().name())) {
                    calls++;
                    moves += name.equals(last) ? 0 : 1;
                    last = name;
                    classes.add(name);
                }
                stack.push(name);
            } else if (event instanceof MethodExitEvent left) {
                var stack = stacks.computeIfAbsent(left.thread().uniqueID(), id -> new ArrayDeque<>());
                if (!stack.isEmpty()) {
                    stack.pop();
                }
                if (isRequests(left.thread().name()) && !stack.isEmpty()) {
                    last = stack.peek();
                }
            }
        }
        events = jvm.eventQueue().remove(SETTLED.toMillis());
    }
    jvm.dispose();
    System.out.printf("status %d, classes %d, moves %d, calls %d%n", status, classes.size(), moves, calls);
    classes.forEach(name -> System.out.println("  " + name));
}

/** The threads that requests run on; all others look after time. */
boolean isRequests(String thread) {
    return !thread.startsWith("lrwp-");
}

String name(ReferenceType type) {
    return type.name().replaceAll("\\$\\$Lambda.*", "");
}

VirtualMachine attach(String port) throws Exception {
    var connector = Bootstrap.virtualMachineManager().attachingConnectors().stream()
            .filter(one -> one.name().equals("com.sun.jdi.SocketAttach")).findFirst().orElseThrow();
    var arguments = connector.defaultArguments();
    arguments.get("hostname").setValue("127.0.0.1");
    arguments.get("port").setValue(port);
    return connector.attach(arguments);
}
