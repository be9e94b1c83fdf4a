package org.lrwp.runtime.operation;

import org.jspecify.annotations.Nullable;
import org.lrwp.runtime.configuration.BadConfigurationException;
import org.lrwp.runtime.configuration.Entry;
import org.lrwp.runtime.configuration.Origin;
import org.lrwp.runtime.module.Figure;

import java.lang.System.Logger.Level;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.AttributeNotFoundException;
import javax.management.DynamicMBean;
import javax.management.InvalidAttributeValueException;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanException;
import javax.management.MBeanInfo;
import javax.management.MBeanOperationInfo;
import javax.management.MBeanParameterInfo;
import javax.management.ObjectName;
import javax.management.ReflectionException;

/**
 * Something at work in a console: a number for each figure, a text for each value, which is written
 * to where it may change, and {@code Configuration} with all values and their origins. Families of
 * keys are set by the operations.
 */
final class ModuleBean implements DynamicMBean, AutoCloseable {
    private static final Origin JMX = new Origin(Origin.Kind.JMX, "");
    private static final System.Logger LOG = System.getLogger(ModuleBean.class.getName());
    private static final String ALL = "Configuration";
    private static final String TEXT = String.class.getName();

    private final Operated subject;
    private final ObjectName name;

    private ModuleBean(Operated subject, ObjectName name) {
        this.subject = subject;
        this.name = name;
    }

    /** Registers the bean of what is at work; null, and a line in the log, when that cannot be. */
    static @Nullable ModuleBean register(Operated subject) {
        try {
            ObjectName name =
                    new ObjectName(
                            "org.lrwp:type=Module,kind="
                                    + subject.type()
                                    + ",name="
                                    + ObjectName.quote(subject.name()));
            ModuleBean bean = new ModuleBean(subject, name);
            ManagementFactory.getPlatformMBeanServer().registerMBean(bean, name);
            return bean;
        } catch (JMException e) {
            LOG.log(Level.WARNING, "bean-not-registered module=" + subject.name(), e);
            return null;
        }
    }

    @Override
    public void close() {
        try {
            ManagementFactory.getPlatformMBeanServer().unregisterMBean(name);
        } catch (JMException e) {
            LOG.log(Level.DEBUG, "bean-not-unregistered", e);
        }
    }

    /** {@code request-rate} in a console: {@code RequestRate}. */
    private static String attributeName(String key) {
        StringBuilder name = new StringBuilder();
        for (String word : key.split("[.-]", -1)) {
            name.append(capital(word));
        }
        return name.toString();
    }

    private static String capital(String word) {
        return word.isEmpty()
                ? ""
                : word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1);
    }

    private List<Entry> entries() {
        return subject.configuration().values().entries();
    }

    @Override
    public MBeanInfo getMBeanInfo() {
        List<MBeanAttributeInfo> attributes = new ArrayList<>();
        attributes.add(
                new MBeanAttributeInfo(
                        ALL,
                        String[].class.getName(),
                        "All values, with origins",
                        true,
                        false,
                        false));
        for (Figure figure : subject.figures()) {
            String unit = figure.unit().isEmpty() ? "" : ", in " + figure.unit();
            attributes.add(
                    new MBeanAttributeInfo(
                            capital(figure.name()),
                            figure.value().getClass().getName(),
                            figure.meaning() + unit,
                            true,
                            false,
                            false));
        }
        for (Entry entry : entries()) {
            attributes.add(
                    new MBeanAttributeInfo(
                            attributeName(entry.name()),
                            TEXT,
                            entry.meaning() + " Allowed: " + entry.allowed() + ".",
                            true,
                            entry.live(),
                            false));
        }
        return new MBeanInfo(
                ModuleBean.class.getName(),
                "The module " + subject.name() + " of type " + subject.type(),
                attributes.toArray(MBeanAttributeInfo[]::new),
                null,
                operations(),
                null);
    }

    private static MBeanOperationInfo[] operations() {
        MBeanParameterInfo key = new MBeanParameterInfo("name", TEXT, "A key, as in the file");
        MBeanParameterInfo value = new MBeanParameterInfo("value", TEXT, "Its new value");
        return new MBeanOperationInfo[] {
            new MBeanOperationInfo(
                    "set",
                    "Sets a value until the next start",
                    new MBeanParameterInfo[] {key, value},
                    "void",
                    MBeanOperationInfo.ACTION),
            new MBeanOperationInfo(
                    "reset",
                    "Takes back what was set since the start",
                    new MBeanParameterInfo[] {key},
                    "void",
                    MBeanOperationInfo.ACTION)
        };
    }

    @Override
    public Object getAttribute(String attribute) throws AttributeNotFoundException {
        if (attribute.equals(ALL)) {
            return entries().stream()
                    .map(one -> one.name() + " = " + one.text() + " (" + one.origin() + ")")
                    .toArray(String[]::new);
        }
        for (Figure figure : subject.figures()) {
            if (attribute.equals(capital(figure.name()))) {
                return figure.value();
            }
        }
        return entry(attribute).text();
    }

    private Entry entry(String attribute) throws AttributeNotFoundException {
        for (Entry entry : entries()) {
            if (attribute.equals(attributeName(entry.name()))) {
                return entry;
            }
        }
        throw new AttributeNotFoundException(attribute);
    }

    @Override
    public void setAttribute(Attribute attribute)
            throws AttributeNotFoundException, InvalidAttributeValueException {
        Entry entry = entry(attribute.getName());
        try {
            set(entry.name(), String.valueOf(attribute.getValue()));
        } catch (BadConfigurationException e) {
            throw new InvalidAttributeValueException(e.getMessage());
        }
    }

    private void set(String key, String value) throws BadConfigurationException {
        subject.configuration().set(Map.of(key, value), JMX);
    }

    @Override
    public AttributeList getAttributes(String[] attributes) {
        AttributeList list = new AttributeList();
        for (String attribute : attributes) {
            try {
                list.add(new Attribute(attribute, getAttribute(attribute)));
            } catch (AttributeNotFoundException e) {
                LOG.log(Level.DEBUG, "no-attribute name={0}", attribute);
            }
        }
        return list;
    }

    @Override
    public AttributeList setAttributes(AttributeList attributes) {
        AttributeList list = new AttributeList();
        for (Attribute attribute : attributes.asList()) {
            try {
                setAttribute(attribute);
                list.add(attribute);
            } catch (JMException e) {
                LOG.log(Level.WARNING, "attribute-refused name=" + attribute.getName(), e);
            }
        }
        return list;
    }

    @Override
    public @Nullable Object invoke(String action, Object[] values, String[] signature)
            throws MBeanException, ReflectionException {
        try {
            if (action.equals("set") && values.length == 2) {
                set(String.valueOf(values[0]), String.valueOf(values[1]));
            } else if (action.equals("reset") && values.length == 1) {
                subject.configuration().reset(String.valueOf(values[0]), JMX);
            } else {
                throw new ReflectionException(new NoSuchMethodException(action));
            }
        } catch (BadConfigurationException e) {
            // A console may lack our classes: the reason has to travel in one that it has.
            throw new MBeanException(new IllegalArgumentException(e.getMessage()), e.getMessage());
        }
        return null;
    }
}
