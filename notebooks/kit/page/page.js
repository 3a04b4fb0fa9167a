// The page around a shared model: text in, tokens, answers, attention; it computes none of them itself.
"use strict";

const facts = JSON.parse(document.getElementById("facts").textContent);
const weights = facts.weights.map(unpacked);
const pieces = [];
for (const [piece, id] of Object.entries(facts.vocab)) pieces[id] = piece;
const idOf = piece => (Object.hasOwn(facts.vocab, piece) ? facts.vocab[piece] : undefined);
const element = id => document.getElementById(id);
const make = (name, text = "", more = {}) => Object.assign(document.createElement(name), {textContent: text}, more);

// What the model gives for these ids: numbers of its answer, and the maps of its attention.
function run(ids) {
  const maps = [];
  const program = facts.programs.length === 1 ? facts.programs[0] : facts.programs[ids.length];
  const logits = replay(program, weights, ids, value => noteAttention(value, ids.length, maps));
  return {logits, maps};
}
// Rows of chances over the tokens, one for each token: that is what attention looks like.
function noteAttention(value, size, maps) {
  const {shape, data, kind} = value, dims = shape.length;
  if (kind !== "f" || dims < 2 || shape[dims - 1] !== size || shape[dims - 2] !== size) return;
  for (let start = 0; start < data.length; start += size) {
    const row = data.subarray(start, start + size);
    if (row.some(each => !(each >= 0)) || Math.abs(total(row) - 1) > 1e-3) return;
  }
  for (let start = 0; start < data.length; start += size * size) {
    const map = data.slice(start, start + size * size);
    const isKnown = maps.some(one => one.data.every((each, nth) => Math.abs(each - map[nth]) < 1e-6));
    const isNobodys = map.every(each => each === 0 || each === 1);
    if (!isKnown && !isNobodys) maps.push({data: map, heads: data.length / size ** 2});
  }
}

// Words as WordPiece cuts them: the longest known piece first.
function cut(word) {
  const found = [];
  for (let start = 0; start < word.length; ) {
    let end = word.length;
    const piece = () => (start ? "##" : "") + word.slice(start, end);
    while (end > start && idOf(piece()) === undefined) end--;
    if (end === start) return null;
    found.push(piece());
    start = end;
  }
  return found;
}
function tokenized(text) {
  const unknown = [], found = [];
  for (const word of text.match(/\[[A-Z]+\]|[\p{L}\p{N}'’#]+|[^\s]/gu) ?? []) {
    const known = [word, word.toLowerCase()].find(each => idOf(each) !== undefined);
    const parts = known === undefined ? cut(word.toLowerCase()) : [known];
    if (parts === null) unknown.push(word);
    found.push(...(parts ?? (idOf("[UNK]") === undefined ? [] : ["[UNK]"])));
  }
  const framed = idOf("[CLS]") !== undefined && idOf("[SEP]") !== undefined;
  const room = facts.longest - (framed ? 2 : 0), kept = facts.writes && !framed ? found.slice(-room) : found.slice(0, room);
  return {tokens: framed ? ["[CLS]", ...kept, "[SEP]"] : kept, unknown, left: found.length - kept.length};
}

function chances(logits, row) {
  const size = logits.shape.at(-1), result = Float64Array.from(logits.data.subarray(row * size, (row + 1) * size));
  softmax(result);
  return result;
}
function shown(name, chance, add) {
  const item = make("li"), bar = make("span", "", {className: "bar"});
  const label = add ? make("button", name, {type: "button", onclick: () => add(name)}) : make("span", name);
  bar.style.width = `${100 * chance}%`;
  item.append(label, make("span", `${(100 * chance).toFixed(1)} %`), bar);
  return item;
}

function answer() {
  const field = element("text"), {tokens, unknown, left} = tokenized(field.value);
  element("tokens").replaceChildren(...tokens.map((token, place) => {
    const item = make("li", token);
    item.append(" ", make("small", String(place)));
    return item;
  }));
  const notes = [];
  if (unknown.length) notes.push(`Not in its vocabulary: ${unknown.join(", ")}.`);
  if (left > 0) notes.push(`It reads ${facts.longest} tokens at most: ${left} were left out.`);
  if (tokens.length < 2) notes.push("Type two words at least.");
  element("note").textContent = notes.join(" ");
  element("looking").hidden = tokens.length < 2;
  if (tokens.length < 2) return element("answers").replaceChildren();

  const {logits, maps} = run(tokens.map(idOf)), mask = tokens.indexOf("[MASK]");
  const framed = tokens[0] === "[CLS]" && tokens.at(-1) === "[SEP]";
  const row = !facts.writes ? 0 : mask >= 0 ? mask : framed ? -1 : tokens.length - 1;
  element("asked").textContent = !facts.writes ? "What it decides" : mask >= 0 ? "What stands at [MASK]?" : "The next word";
  if (row < 0) {
    element("asked").textContent = "What stands at [MASK]?";
    element("answers").replaceChildren(make("li", "Write [MASK] in the place of a word."));
  } else {
    const names = facts.writes ? pieces : facts.labels, list = [...chances(logits, row)].map((chance, id) => [chance, names[id] ?? `${id}`]);
    const best = list.sort((one, two) => two[0] - one[0]).slice(0, 8);
    const add = word => {
      field.value = mask >= 0 ? field.value.replace("[MASK]", word) : word.startsWith("##") ? field.value.trimEnd() + word.slice(2) : `${field.value.trimEnd()} ${word}`;
      answer();
      field.focus();
    };
    element("answers").replaceChildren(...best.map(([chance, name]) => shown(name, chance, facts.writes ? add : null)));
  }
  choose(maps, tokens);
}

let looked = {maps: [], tokens: []};
function choose(maps, tokens) {
  looked = {maps, tokens};
  const list = element("head"), before = list.selectedIndex;
  let layer = 0, head = 0;
  const names = maps.map(map => {
    if (map.heads === 1) return `map ${++layer}`;
    if (head === 0) layer++;
    const name = `layer ${layer}, head ${head + 1}`;
    head = (head + 1) % map.heads;
    return name;
  });
  list.replaceChildren(...names.map(name => make("option", name)));
  list.selectedIndex = Math.min(Math.max(before, 0), maps.length - 1);
  element("looking").hidden = maps.length === 0;
  if (maps.length) draw();
}
function draw() {
  const {maps, tokens} = looked, map = maps[element("head").selectedIndex].data, size = tokens.length;
  const head = make("tr");
  head.append(make("td"), ...tokens.map(token => make("th", token, {scope: "col"})));
  const rows = tokens.map((token, place) => {
    const row = make("tr");
    row.append(make("th", token, {scope: "row"}));
    for (const weight of map.subarray(place * size, (place + 1) * size)) {
      const entry = make("td", weight.toFixed(2));
      entry.style.background = `color-mix(in srgb, var(--tone) ${Math.round(100 * weight)}%, transparent)`;
      if (weight > 0.5) entry.style.color = "var(--paper)";
      row.append(entry);
    }
    return row;
  });
  const top = make("thead"), body = make("tbody");
  top.append(head);
  body.append(...rows);
  element("attention").replaceChildren(make("caption", "Each row: where that token looks; the row sums to 1.", {className: "soft"}), top, body);
  element("said").textContent = tokens.map((token, place) => {
    const row = map.subarray(place * size, (place + 1) * size), most = largest(row);
    return `${token} looks most at ${tokens[row.indexOf(most)]} (${most.toFixed(2)})`;
  }).join("; ") + ".";
}

element("head").addEventListener("change", draw);
element("text").addEventListener("input", answer);
element("text").value = facts.start;
answer();
