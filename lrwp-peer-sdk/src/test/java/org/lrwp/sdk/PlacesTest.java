package org.lrwp.sdk;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

/** Who may begin, and who waits for whom. */
final class PlacesTest {
    private final Places places = new Places(2);
    private final List<String> seen = new ArrayList<>();

    private Places.Place take(String name) {
        Places.Place place = places.place();
        place.take(() -> seen.add(name), () -> seen.add(name + " refused"));
        return place;
    }

    @Test
    void whoeverWaitsLongestIsNext() {
        Places.Place first = take("first");
        take("second");
        take("third");
        Places.Place fourth = take("fourth");
        assertEquals(List.of("first", "second"), seen);

        first.free();
        assertEquals(List.of("first", "second", "third"), seen);
        fourth.free();
        take("fifth");
        assertEquals(3, seen.size());
    }

    @Test
    void placeIsFreedOnce() {
        Places.Place first = take("first");
        take("second");
        take("third");
        take("fourth");

        first.free();
        first.free();
        assertEquals(List.of("first", "second", "third"), seen);
    }

    @Test
    void whatWasGivenUpBeforeItAskedGetsNoPlace() {
        Places.Place ended = places.place();
        ended.free();
        ended.take(() -> seen.add("ended"), () -> seen.add("refused"));

        take("first");
        take("second");
        assertEquals(List.of("first", "second"), seen);
    }

    @Test
    void moreOfThemAreForThoseThatWait() {
        take("first");
        take("second");
        take("third");
        take("fourth");

        places.limit(3);
        assertEquals(List.of("first", "second", "third"), seen);
    }

    @Test
    void fewerOfThemCountWhatGoesOn() {
        Places.Place first = take("first");
        Places.Place second = take("second");
        places.limit(1);
        take("third");

        first.free();
        assertEquals(List.of("first", "second"), seen);
        second.free();
        assertEquals(List.of("first", "second", "third"), seen);
    }

    @Test
    void pauseRefusesWhatWaitsAndWhatComes() {
        take("first");
        take("second");
        take("third");

        places.limit(0);
        take("fourth");
        assertEquals(List.of("first", "second", "third refused", "fourth refused"), seen);
    }
}
