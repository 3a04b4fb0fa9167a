// Search, filter and sort the learners of a class; the table is whole without it.
"use strict";
const form = document.getElementById("find"), body = document.getElementById("rows");
if (body) {
  const field = (id) => document.getElementById(id);
  const options = [...field("exercise").options].map((one) => one.value);
  const plain = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  let rows = [...body.rows].map((row) => ({
    row,
    name: plain(row.cells[0].textContent),
    number: Number(row.cells[1].textContent),
    signs: [...row.cells[2].textContent.replaceAll(" ", "")],
    look: row.cells[3].textContent,
  }));
  const tones = JSON.parse(body.dataset.tones);
  const paint = (cell) => {
    const runs = cell.textContent.match(/(.)\1*/g) ?? [];
    cell.replaceChildren(...runs.map((run) => {
      if (run.startsWith(" ")) return run;
      const piece = document.createElement("i");
      piece.className = tones[run[0]];
      piece.textContent = run;
      return piece;
    }));
  };
  // In a large class only what is looked at gets its colours: of 10,000 learners a page shows thirty.
  const painter = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (entry.isIntersecting) {
        paint(entry.target.cells[2]);
        painter.unobserve(entry.target);
      }
    }
  }, { rootMargin: "400px" });
  for (const one of rows) rows.length > 300 ? painter.observe(one.row) : paint(one.row.cells[2]);
  const find = () => {
    const name = plain(field("name").value.trim()), sign = field("verdict").value;
    const place = options.indexOf(field("exercise").value) - 1;
    let found = 0;
    for (const one of rows) {
      const fits = place >= 0 ? !sign || one.signs[place] === sign : !sign || one.signs.includes(sign);
      const shown = fits && one.name.includes(name) && (one.look || !field("look").checked);
      if (one.row.hidden === Boolean(shown)) one.row.hidden = !shown;
      found += Boolean(shown);
    }
    field("found").textContent = `${found} of ${rows.length}`;
  };
  let order = { by: "name", down: 1 };
  const sort = (by) => {
    order = { by, down: order.by === by ? -order.down : by === "name" ? 1 : -1 };
    const compare = new Intl.Collator(undefined, { numeric: true }).compare;
    const key = by === "name" ? (a, b) => compare(a.name, b.name) : (a, b) => a.number - b.number;
    rows.sort((a, b) => order.down * key(a, b));
    body.replaceChildren(...rows.map((one) => one.row));
    for (const button of document.querySelectorAll("button[data-sort]")) {
      const mine = button.dataset.sort === by ? (order.down > 0 ? "ascending" : "descending") : "none";
      button.closest("th").setAttribute("aria-sort", mine);
    }
  };
  let waiting = 0;
  form.hidden = false;
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", () => {
    cancelAnimationFrame(waiting);
    waiting = requestAnimationFrame(find);
  });
  for (const button of document.querySelectorAll("button[data-sort]")) {
    button.disabled = false;
    button.addEventListener("click", () => sort(button.dataset.sort));
  }
  find();
}
