package org.lrwp.download.http;

import org.lrwp.download.file.Found;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** A folder as a page. */
public final class Listing {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);

    private Listing() {}

    /**
     * Writes the page.
     *
     * @param folder what is listed
     * @param query {@code sort=name}, {@code size} or {@code time}, and {@code &order=desc}
     * @return HTML in UTF-8
     */
    public static String page(Found.Folder folder, String query) {
        List<String> parameters = List.of(query.split("&", -1));
        boolean descending = parameters.contains("order=desc");
        String sort =
                parameters.contains("sort=size")
                        ? "size"
                        : parameters.contains("sort=time") ? "time" : "name";
        List<Found.Entry> entries = new ArrayList<>(folder.entries());
        Comparator<Found.Entry> order = order(sort);
        entries.sort(
                Comparator.comparing(Found.Entry::folder)
                        .reversed()
                        .thenComparing(descending ? order.reversed() : order));
        String title = ContentName.html(folder.name().isEmpty() ? "/" : folder.name());
        StringBuilder page = new StringBuilder(1024);
        page.append("<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><title>").append(title);
        page.append("</title></head>\n<body><h1>").append(title).append("</h1>\n<table>\n<tr>");
        for (String column : List.of("name", "size", "time")) {
            boolean turn = column.equals(sort) && !descending;
            page.append("<th><a href=\"?sort=").append(column);
            page.append(turn ? "&amp;order=desc" : "").append("\">").append(column);
            page.append("</a></th>");
        }
        page.append("</tr>\n");
        if (!folder.name().isEmpty()) {
            page.append("<tr><td><a href=\"../\">../</a></td><td></td><td></td></tr>\n");
        }
        entries.forEach(entry -> line(page, entry));
        page.append("</table>");
        if (!folder.whole()) {
            page.append("\n<p>There are more: only ").append(entries.size());
            page.append(" names are listed.</p>\n");
        }
        return page.append("</body></html>\n").toString();
    }

    private static Comparator<Found.Entry> order(String sort) {
        return switch (sort) {
            case "size" -> Comparator.comparingLong(Found.Entry::size);
            case "time" -> Comparator.comparing(Found.Entry::modified, Instant::compareTo);
            default -> Comparator.comparing(Found.Entry::name);
        };
    }

    private static void line(StringBuilder page, Found.Entry entry) {
        String slash = entry.folder() ? "/" : "";
        // Without ./ a name with a colon would be read as a scheme.
        page.append("<tr><td><a href=\"./").append(ContentName.segment(entry.name())).append(slash);
        page.append("\">").append(ContentName.html(entry.name())).append(slash);
        page.append("</a></td><td>").append(entry.folder() ? "" : entry.size()).append("</td><td>");
        page.append(TIME.format(entry.modified())).append("</td></tr>\n");
    }
}
