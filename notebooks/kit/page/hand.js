// An attention that is held in the hand: arrows that move, and what follows from them; it knows no notebook.
"use strict";
(root => {
const facts = JSON.parse(root.dataset.facts), {words, values: withValues, puzzles} = facts;
const state = structuredClone(facts.start);
const SVG = "http://www.w3.org/2000/svg", REACH = 3, PLACES = 2;
const element = (name, more = {}, parent = null, text = "") => {
  const made = ["svg", "g", "line", "circle", "text", "path"].includes(name) ? document.createElementNS(SVG, name) : document.createElement(name);
  for (const [key, value] of Object.entries(more)) made.setAttribute(key, value);
  made.textContent = text;
  parent?.append(made);
  return made;
};
const round = number => Math.round(number * 20) / 20;
const length = ([x, y]) => Math.hypot(x, y);
const apart = (a, b) => length([a[0] - b[0], a[1] - b[1]]);

// Scores, weights and the output of one head, as in the formula.
function attention(head) {
  const scale = state.scaled ? Math.SQRT2 : 1;
  const scores = head.keys.map(([x, y]) => (x * head.query[0] + y * head.query[1]) / scale);
  const seen = scores.map((score, place) => (state.masked && words[place] === "[PAD]" ? -Infinity : score / state.temperature));
  const top = Math.max(...seen), powers = seen.map(score => Math.exp(score - top));
  const sum = powers.reduce((a, b) => a + b), weights = powers.map(power => power / sum);
  const output = [0, 1].map(axis => weights.reduce((total, weight, place) => total + weight * head.values[place][axis], 0));
  return {scores, weights, output};
}
const at = word => words.indexOf(word);
const SOLVED = {
  right_angle: ([head], [seen]) => length(head.query) >= 1 && length(head.keys[at("time")]) >= 1 && Math.abs(seen.scores[at("time")]) < 0.06,
  shorter_wins: ([head], [seen]) => length(head.keys[at("like")]) < length(head.keys[at("time")]) - 0.2 && seen.scores[at("like")] >= 2 * seen.scores[at("time")] - 0.06 && seen.scores[at("time")] > 0.3,
  half_and_nothing: (_, [seen]) => Math.abs(seen.weights[at("time")] - 0.5) <= 0.03 && seen.weights[at("[PAD]")] === 0,
  sure_and_short: ([head], [seen]) => seen.weights[at("arrow")] >= 0.95 && length(head.query) <= 1.001 && head.keys.every(key => length(key) <= 2.001),
  in_between: ([head], [seen]) => apart(head.values[at("time")], head.values[at("arrow")]) >= 2 &&
    apart(seen.output, [0, 1].map(axis => (head.values[at("time")][axis] + head.values[at("arrow")][axis]) / 2)) <= 0.15,
  both_kept: (heads, seen) => heads.length === 2 && apart(heads[0].values[at("time")], heads[0].values[at("arrow")]) >= 2 &&
    apart(seen[0].output, heads[0].values[at("time")]) <= 0.25 && apart(seen[1].output, heads[1].values[at("arrow")]) <= 0.25,
};

let current = 0;
const heads = () => (state.second ? state.heads : state.heads.slice(0, 1));
const picture = root.querySelector(".hand-planes"), table = root.querySelector("tbody"), said = root.querySelector(".hand-said");
const planes = {};
function plane(name, title) {
  const box = element("figure", {}, picture);
  element("figcaption", {}, box, title);
  const svg = element("svg", {viewBox: "-3.4 -3.4 6.8 6.8", role: "group", "aria-label": title}, box);
  for (const turn of [0, 90]) element("line", {x1: -REACH, x2: REACH, y1: 0, y2: 0, class: "axis", transform: `rotate(${turn})`}, svg);
  planes[name] = svg;
}
plane("match", "query and keys");
if (withValues) plane("mix", "values and output");

const arrows = [];
function arrow(name, svg, kind, read, write) {
  const group = element("g", {class: `arrow ${kind}`}, planes[svg]);
  const made = {name, kind, read, group, line: element("line", {x1: 0, y1: 0}, group)};
  made.tip = element("circle", {r: write ? 0.16 : 0.1}, group);
  made.label = element("text", {}, group, name);
  arrows.push(made);
  if (!write) return;
  Object.entries({tabindex: 0, role: "button", "aria-roledescription": "arrow that moves"}).forEach(([key, value]) => group.setAttribute(key, value));
  const move = (x, y) => {
    write([x, y].map(each => round(Math.min(REACH, Math.max(-REACH, each)))));
    draw(made);
  };
  group.addEventListener("keydown", event => {
    const step = event.shiftKey ? 0.5 : 0.1, way = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1]}[event.key];
    if (!way) return;
    event.preventDefault();
    event.stopPropagation();
    const [x, y] = read();
    move(x + step * way[0], y + step * way[1]);
  });
  group.addEventListener("keyup", tell);
  group.addEventListener("pointerdown", event => {
    event.preventDefault();
    group.setPointerCapture(event.pointerId);
    group.focus();
  });
  group.addEventListener("pointermove", event => {
    if (!group.hasPointerCapture(event.pointerId)) return;
    const place = new DOMPoint(event.clientX, event.clientY).matrixTransform(planes[svg].getScreenCTM().inverse());
    move(place.x, -place.y);
  });
  group.addEventListener("pointerup", tell);
}
const head = () => state.heads[current];
words.forEach((word, place) => {
  arrow(word, "match", "key", () => head().keys[place], to => (head().keys[place] = to));
  if (withValues) arrow(word, "mix", "value", () => head().values[place], to => (head().values[place] = to));
});
arrow("flies", "match", "query", () => head().query, to => (head().query = to));
if (withValues) arrow("output", "mix", "output", () => attention(head()).output, null);

function draw(moved) {
  const all = heads().map(attention), seen = attention(head());
  for (const one of arrows) {
    const [x, y] = one.read();
    for (const [key, value] of Object.entries({x2: x, y2: -y})) one.line.setAttribute(key, value);
    for (const [key, value] of Object.entries({cx: x, cy: -y})) one.tip.setAttribute(key, value);
    one.label.setAttribute("x", x + (x < 0 ? -0.22 : 0.22));
    one.label.setAttribute("y", -y + (y < 0 ? 0.38 : -0.18));
    one.label.setAttribute("text-anchor", x < 0 ? "end" : "start");
    const name = one.kind === "query" ? "query of flies" : one.kind === "output" ? "output" : `${one.kind} of ${one.name}`;
    one.group.setAttribute("aria-label", `${name}: ${x.toFixed(PLACES)}, ${y.toFixed(PLACES)}`);
  }
  table.replaceChildren(...words.map((word, place) => {
    const row = document.createElement("tr"), weight = seen.weights[place];
    const cells = [seen.scores[place].toFixed(PLACES), ...(withValues ? [weight.toFixed(PLACES)] : [])];
    element("th", {scope: "row"}, row, word);
    cells.forEach(text => element("td", {}, row, text));
    if (withValues) element("span", {class: "bar", style: `width:${6 * weight}em`, "aria-hidden": true}, element("td", {}, row));
    return row;
  }));
  const best = seen.scores.indexOf(Math.max(...seen.scores));
  const out = seen.output.map(each => each.toFixed(PLACES)).join(", ");
  const where = moved ? `${moved.group.getAttribute("aria-label")}. ` : "";
  said.textContent = withValues
    ? `${where}flies takes ${words.map((word, place) => `${seen.weights[place].toFixed(PLACES)} of ${word}`).join(", ")}. Its output is (${out}).`
    : `${where}The key of ${words[best]} fits the query of flies best: ${seen.scores[best].toFixed(PLACES)}.`;
  state.solved = puzzles.filter(name => SOLVED[name](heads(), all));
  for (const item of root.querySelectorAll("[data-puzzle]"))
    item.querySelector(".done").textContent = state.solved.includes(item.dataset.puzzle) ? "✓ solved" : "not yet";
}
let told = "";
function tell() {
  const now = JSON.stringify(state.solved);
  if (now !== told) window.courseTell?.(root, {hand: root.dataset.key, solved: state.solved});
  told = now;
}
for (const field of root.querySelectorAll("[data-sets]")) {
  const set = () => {
    const name = field.dataset.sets, value = field.type === "checkbox" ? field.checked : Number(field.value);
    if (name === "current") current = value;
    else state[name] = value;
    if (name === "second" && !value) current = 0;
    for (const other of root.querySelectorAll('[data-sets="current"]')) {
      other.closest("label").hidden = !state.second;
      other.checked = Number(other.value) === current;
    }
    if (name === "temperature") field.nextElementSibling.textContent = value.toFixed(1);
    draw();
    tell();
  };
  field.addEventListener("input", set);
}
draw();
})(document.currentScript.closest(".hand"));
