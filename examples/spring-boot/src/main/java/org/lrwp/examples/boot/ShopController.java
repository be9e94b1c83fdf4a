package org.lrwp.examples.boot;

import jakarta.servlet.http.HttpServletRequest;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.multipart.MultipartFile;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.support.ServletUriComponentsBuilder;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Ordinary controllers: nothing here knows how requests come. */
@RestController
class ShopController {
    private static final Logger LOG = LoggerFactory.getLogger(ShopController.class);

    record Order(String article, int count) {}

    @GetMapping("/articles/{name}")
    String article(@PathVariable String name, HttpServletRequest request) {
        return name + " for " + request.getRemoteAddr() + "\n";
    }

    @PostMapping("/orders")
    ResponseEntity<Order> order(@RequestBody Order order) {
        LOG.info("order of {} {}", order.count(), order.article());
        var place = ServletUriComponentsBuilder.fromCurrentRequest().path("/1").build().toUri();
        return ResponseEntity.created(place).body(order);
    }

    @PostMapping("/pictures")
    Map<String, Long> picture(@RequestParam MultipartFile picture) {
        return Map.of("bytes", picture.getSize());
    }

    @GetMapping(path = "/news", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    SseEmitter news() {
        SseEmitter emitter = new SseEmitter();
        CompletableFuture.runAsync(() -> send(emitter));
        return emitter;
    }

    private static void send(SseEmitter emitter) {
        try {
            for (int i = 1; i <= 3; i++) {
                emitter.send("news " + i);
            }
            emitter.complete();
        } catch (IOException e) {
            emitter.completeWithError(e);
        }
    }

    @GetMapping("/fails")
    String fails() {
        throw new IllegalStateException("a fault of the shop");
    }

    @GetMapping("/slow")
    String slow() throws InterruptedException {
        LOG.info("slow begins");
        Thread.sleep(500);
        return "slow\n";
    }
}
