// Shows the moving parts as they change. The page is whole without this.
"use strict";
(function () {
    const said = document.getElementById("live");

    function isSelected(part) {
        const selection = document.getSelection();
        return !selection.isCollapsed && selection.containsNode(part, true);
    }

    function inUse(part) {
        return part.contains(document.activeElement) || part.querySelector("details[open]") !== null || isSelected(part);
    }

    function show(text) {
        const template = document.createElement("template");
        template.innerHTML = text;
        for (const next of template.content.querySelectorAll("[data-live]")) {
            const part = document.getElementById(next.id);
            const changes = part && part.innerHTML !== next.innerHTML;
            const held = changes && inUse(part);
            if (part) {
                part.toggleAttribute("data-held", held);
            }
            if (changes && !held) {
                part.innerHTML = next.innerHTML;
            }
        }
    }

    function say(text, lost) {
        said.textContent = text;
        said.classList.toggle("lost", lost);
    }

    document.addEventListener("keydown", function (event) {
        const open = event.key === "Escape" && document.querySelector("details.act[open]");
        if (open) {
            open.open = false;
            open.querySelector("summary").focus();
        }
    });

    const source = new EventSource("live" + location.search);
    source.onopen = function () { say("Live.", false); };
    source.onmessage = function (event) { show(event.data); };
    source.onerror = function () { say("The proxy does not answer; trying again.", true); };
})();
