// Finds filters by any word of their names, aliases and summaries: rows that do not match are hidden.
"use strict";
document.addEventListener("DOMContentLoaded", () => {
    const field = document.querySelector("input.find");
    if (!field) return;
    const rows = Array.from(document.querySelectorAll("[data-words]"));
    const sections = Array.from(document.querySelectorAll("[data-family]"));
    const update = () => {
        const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
        for (const row of rows) row.hidden = !words.every((word) => row.dataset.words.includes(word));
        for (const section of sections) section.hidden = !section.querySelector("[data-words]:not([hidden])");
    };
    field.addEventListener("input", update);
    update();
});
