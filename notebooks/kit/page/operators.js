// Replays a recorded program of PyTorch's operators on plain arrays; it knows no model and no page.
// A tensor is {shape, data, kind}: kind "f" for numbers, "i" for whole numbers, "b" for true and false.
"use strict";

const count = shape => shape.reduce((product, size) => product * size, 1);
const ARRAYS = {f: Float32Array, i: Int32Array, b: Uint8Array};
const filled = (shape, kind, value) => ({shape, kind, data: new ARRAYS[kind](count(shape)).fill(value)});
const scalar = value =>
  typeof value === "boolean" ? filled([], "b", value) : filled([], Number.isInteger(value) ? "i" : "f", value);
const stridesOf = shape => {
  const strides = Array(shape.length);
  for (let axis = shape.length - 1, step = 1; axis >= 0; step *= shape[axis--]) strides[axis] = step;
  return strides;
};
const at = (axis, dims) => (axis < 0 ? axis + dims : axis);
const isTensor = value => value !== null && typeof value === "object" && "data" in value;

// Reads a tensor through other strides: what most changes of shape come to.
function strided(x, shape, strides, offset = 0) {
  const data = new ARRAYS[x.kind](count(shape)), index = Array(shape.length).fill(0);
  let from = offset;
  for (let to = 0; to < data.length; to++) {
    data[to] = x.data[from];
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      from += strides[axis];
      if (++index[axis] < shape[axis]) break;
      from -= strides[axis] * shape[axis];
      index[axis] = 0;
    }
  }
  return {shape, kind: x.kind, data};
}
function expand(x, sizes) {
  const added = sizes.length - x.shape.length, own = stridesOf(x.shape);
  const shape = sizes.map((size, axis) => (size === -1 ? x.shape[axis - added] : size));
  const strides = shape.map((size, axis) => (axis < added || x.shape[axis - added] === 1 ? 0 : own[axis - added]));
  return strided(x, shape, strides);
}
function view(x, sizes) {
  const known = sizes.reduce((product, size) => (size === -1 ? product : product * size), 1);
  return {...x, shape: sizes.map(size => (size === -1 ? x.data.length / known : size))};
}
function permute(x, axes) {
  const own = stridesOf(x.shape), order = axes.map(axis => at(axis, x.shape.length));
  return strided(x, order.map(axis => x.shape[axis]), order.map(axis => own[axis]));
}
function swap(x, one, two) {
  const order = x.shape.map((_, axis) => axis), [a, b] = [at(one, order.length), at(two, order.length)];
  [order[a], order[b]] = [b, a];
  return permute(x, order);
}
function slice(x, axis, start, end, step) {
  const dim = at(axis, x.shape.length), size = x.shape[dim];
  const bound = place => Math.min(Math.max(place < 0 ? place + size : place, 0), size);
  const [first, last] = [bound(start ?? 0), bound(end ?? size)], strides = stridesOf(x.shape);
  const shape = [...x.shape], offset = first * strides[dim];
  shape[dim] = Math.max(0, Math.ceil((last - first) / step));
  strides[dim] *= step;
  return strided(x, shape, strides, offset);
}
function select(x, axis, place) {
  const dim = at(axis, x.shape.length), strides = stridesOf(x.shape), shape = [...x.shape];
  const offset = at(place, shape[dim]) * strides[dim];
  shape.splice(dim, 1);
  strides.splice(dim, 1);
  return strided(x, shape, strides, offset);
}
function unsqueeze(x, axis) {
  const shape = [...x.shape];
  shape.splice(at(axis, shape.length + 1), 0, 1);
  return {...x, shape};
}
function squeeze(x, axes) {
  const dropped = axes.map(axis => at(axis, x.shape.length));
  return {...x, shape: x.shape.filter((size, axis) => size !== 1 || !dropped.includes(axis))};
}
function cat(parts, axis) {
  const whole = parts.filter(part => part.shape.length > 1 || part.data.length > 0);
  const dim = at(axis, whole[0].shape.length), shape = [...whole[0].shape];
  shape[dim] = whole.reduce((sum, part) => sum + part.shape[dim], 0);
  const result = filled(shape, widest(whole), 0), after = count(shape.slice(dim + 1));
  let offset = 0;
  for (const part of whole) {
    const run = part.shape[dim] * after, step = shape[dim] * after;
    for (let block = 0; block * run < part.data.length; block++)
      result.data.set(part.data.subarray(block * run, (block + 1) * run), block * step + offset);
    offset += run;
  }
  return result;
}
function splitInto(x, sizes, axis) {
  let start = 0;
  return sizes.map(size => slice(x, axis, start, (start += size), 1));
}
function splitEvenly(x, size, axis) {
  const whole = x.shape[at(axis, x.shape.length)];
  return splitInto(x, Array.from({length: Math.ceil(whole / size)}, (_, part) => Math.min(size, whole - part * size)), axis);
}

const widest = parts => ["f", "i", "b"].find(kind => parts.some(part => part.kind === kind)) ?? "f";
function broadcast(...shapes) {
  const dims = Math.max(...shapes.map(shape => shape.length));
  return Array.from({length: dims}, (_, axis) =>
    shapes.reduce((size, shape) => {
      const own = shape[axis - dims + shape.length] ?? 1;
      return own === 1 ? size : own;
    }, 1));
}
function elementwise(rule, kind, ...given) {
  const parts = given.map(value => (isTensor(value) ? value : scalar(value)));
  const shape = broadcast(...parts.map(part => part.shape)), result = filled(shape, kind(parts), 0);
  const same = part => part.data.length === result.data.length;
  const columns = parts.map(part => (same(part) ? part.data : expand(part, shape).data));
  for (let place = 0; place < result.data.length; place++)
    result.data[place] = rule(...columns.map(column => column[place]));
  return result;
}
// A number written in the program makes a float of whole numbers only if it has a fraction.
const arithmetic = parts => {
  const [tensors, kind] = [parts.filter(part => part.shape.length), widest(parts)];
  return tensors.length && widest(tensors) === "f" ? "f" : kind === "b" ? "i" : kind;
};
const floating = () => "f", truth = () => "b", own = parts => parts[0].kind;
const each = (rule, kind = floating) => x => elementwise(rule, kind, x);
const both = (rule, kind = arithmetic) => (x, y) => elementwise(rule, kind, x, y);
const weighted = sign => (x, y, alpha) => elementwise((a, b) => a + sign * alpha * b, arithmetic, x, y);

function erf(x) {
  const size = Math.abs(x);
  if (size > 6) return Math.sign(x);
  let term = size, sum = size;
  for (let n = 1; term > 1e-17 * sum; n++) sum += term *= (2 * size * size) / (2 * n + 1);
  return (Math.sign(x) * 2 * Math.exp(-size * size) * sum) / Math.sqrt(Math.PI);
}
function gelu(x, approximate) {
  const tanh = a => 0.5 * a * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (a + 0.044715 * a ** 3)));
  return elementwise(approximate === "tanh" ? tanh : a => 0.5 * a * (1 + erf(a / Math.SQRT2)), floating, x);
}
function rounded(a, b, mode) {
  return mode === "floor" ? Math.floor(a / b) : mode === "trunc" ? Math.trunc(a / b) : a / b;
}
const modulo = (a, b) => a - b * Math.floor(a / b);

// The axes that are reduced go to the end; `rule` gets each row of them as an array.
function reduce(x, axes, keep, rule, kind = x.kind) {
  const dims = x.shape.length, gone = (axes?.length ? axes : x.shape.map((_, axis) => axis)).map(axis => at(axis, dims));
  const kept = x.shape.map((_, axis) => axis).filter(axis => !gone.includes(axis));
  const rows = permute(x, [...kept, ...gone]), wide = count(gone.map(axis => x.shape[axis]));
  const shape = keep ? x.shape.map((size, axis) => (gone.includes(axis) ? 1 : size)) : kept.map(axis => x.shape[axis]);
  const result = filled(shape, kind, 0);
  for (let row = 0; row < result.data.length; row++)
    result.data[row] = rule(rows.data.subarray(row * wide, (row + 1) * wide));
  return result;
}
const total = row => row.reduce((sum, value) => sum + value, 0);
const largest = row => row.reduce((most, value) => (value > most || value !== value ? value : most), -Infinity);
const least = row => row.reduce((most, value) => (value < most || value !== value ? value : most), Infinity);
const place = (row, value) => row.findIndex(other => other === value || value !== value);
const summed = x => (x.kind === "b" ? "i" : x.kind);
const variance = correction => row => {
  const middle = total(row) / row.length;
  return row.reduce((sum, value) => sum + (value - middle) ** 2, 0) / Math.max(0, row.length - correction);
};
const one = axis => (axis === null || axis === undefined ? [] : [axis]);
const extreme = rule => (x, axis, keep) => [
  reduce(x, [axis], keep, rule),
  reduce(x, [axis], keep, row => place(row, rule(row)), "i"),
];

// Softmax and its kin: along one axis, the shape stays.
function along(x, axis, rule) {
  const dim = at(axis, x.shape.length), last = x.shape.length - 1, wide = x.shape[dim] ?? 1;
  const moved = dim === last || last < 0 ? {...x, data: x.data.slice()} : swap(x, dim, last);
  for (let start = 0; start < moved.data.length; start += wide) rule(moved.data.subarray(start, start + wide));
  return dim === last || last < 0 ? moved : swap(moved, dim, last);
}
function softmax(row) {
  const top = largest(row), sum = total(row.map(value => Math.exp(value - top)));
  row.forEach((value, index) => (row[index] = Math.exp(value - top) / sum));
}
function logSoftmax(row) {
  const top = largest(row), sum = Math.log(total(row.map(value => Math.exp(value - top))));
  row.forEach((value, index) => (row[index] = value - top - sum));
}
function cumulate(row) {
  for (let index = 1; index < row.length; index++) row[index] += row[index - 1];
}
function layerNorm(x, sizes, weight, bias, eps) {
  const normed = along(view(x, [-1, count(sizes)]), 1, row => {
    const middle = total(row) / row.length, root = Math.sqrt(variance(0)(row) + eps);
    row.forEach((value, index) => {
      const unit = (value - middle) / root;
      row[index] = unit * (weight ? weight.data[index] : 1) + (bias ? bias.data[index] : 0);
    });
  });
  return {...normed, shape: x.shape};
}

// [batch, n, k] times [batch, k, m]
function product(x, y) {
  const [batch, n, k] = x.shape, m = y.shape[2], result = filled([batch, n, m], "f", 0);
  const sums = new Float64Array(m);
  for (let row = 0; row < batch * n; row++) {
    sums.fill(0);
    const from = Math.floor(row / n) * k * m;
    for (let inner = 0; inner < k; inner++) {
      const factor = x.data[row * k + inner];
      for (let column = 0; column < m; column++) sums[column] += factor * y.data[from + inner * m + column];
    }
    result.data.set(sums, row * m);
  }
  return result;
}
const matrix = (x, y) => squeeze(product(unsqueeze(x, 0), unsqueeze(y, 0)), [0]);
const added = (x, scale, y, alpha) =>
  elementwise((a, b) => scale * a + alpha * b, floating, x, y);
function convolve(x, weight, bias, stride, padding, dilation, transposed, _, groups) {
  const [batch, channels, width] = x.shape, [out, inner, wide] = weight.shape;
  if (transposed || x.shape.length !== 3) throw new Error("this convolution is not replayed");
  const length = Math.floor((width + 2 * padding[0] - dilation[0] * (wide - 1) - 1) / stride[0]) + 1;
  const result = filled([batch, out, length], "f", 0);
  for (let row = 0; row < batch * out * length; row++) {
    const position = row % length, channel = Math.floor(row / length) % out, item = Math.floor(row / (length * out));
    let sum = bias ? bias.data[channel] : 0;
    for (let c = 0; c < inner; c++)
      for (let k = 0; k < wide; k++) {
        const from = position * stride[0] - padding[0] + k * dilation[0];
        const source = Math.floor(channel / (out / groups)) * inner + c;
        if (from >= 0 && from < width)
          sum += x.data[(item * channels + source) * width + from] * weight.data[(channel * inner + c) * wide + k];
      }
    result.data[row] = sum;
  }
  return result;
}

function take(x, axis, places) {
  const dim = at(axis, x.shape.length), size = x.shape[dim], after = count(x.shape.slice(dim + 1));
  const shape = [...x.shape.slice(0, dim), ...places.shape, ...x.shape.slice(dim + 1)];
  const result = filled(shape, x.kind, 0), blocks = count(x.shape.slice(0, dim));
  for (let block = 0, to = 0; block < blocks; block++)
    for (const place of places.data) {
      const from = (block * size + at(place, size)) * after;
      result.data.set(x.data.subarray(from, from + after), to);
      to += after;
    }
  return result;
}
// Tensors of places, side by side and broadcast: x[:, rows, columns].
function index(x, places) {
  const used = places.flatMap((each, axis) => (each ? [axis] : []));
  if (used.length === 1 && places[used[0]].kind !== "b") return take(x, used[0], places[used[0]]);
  const neighbours = used.every((axis, nth) => axis === used[0] + nth);
  if (!neighbours || places.some(each => each?.kind === "b")) throw new Error("this way to index is not replayed");
  const spread = broadcast(...used.map(axis => places[axis].shape)), flat = filled(spread, "i", 0);
  for (const axis of used) {
    const wide = expand(places[axis], spread).data, size = x.shape[axis];
    flat.data.forEach((value, nth) => (flat.data[nth] = value * size + at(wide[nth], size)));
  }
  const [first, end] = [used[0], used[used.length - 1] + 1];
  const merged = [...x.shape.slice(0, first), -1, ...x.shape.slice(end)];
  return take(view(x, merged), first, flat);
}
function gather(x, axis, places) {
  const dim = at(axis, x.shape.length), own = stridesOf(x.shape), strides = stridesOf(places.shape);
  const result = filled(places.shape, x.kind, 0);
  for (let to = 0; to < result.data.length; to++) {
    let from = 0;
    places.shape.forEach((size, nth) => {
      from += own[nth] * (nth === dim ? at(places.data[to], x.shape[dim]) : Math.floor(to / strides[nth]) % size);
    });
    result.data[to] = x.data[from];
  }
  return result;
}
// Puts `part` where `slice` or `select` would have read.
function put(x, part, cut) {
  const numbered = {shape: x.shape, kind: "i", data: Int32Array.from(x.data, (_, nth) => nth)};
  const places = cut(numbered), result = {...x, data: x.data.slice()}, from = expand(part, places.shape);
  places.data.forEach((to, nth) => (result.data[to] = from.data[nth]));
  return result;
}
function triangle(x, keeps) {
  const [rows, columns] = x.shape.slice(-2), result = {...x, data: x.data.slice()};
  result.data.forEach((_, nth) => {
    if (!keeps(Math.floor(nth / columns) % rows, nth % columns)) result.data[nth] = 0;
  });
  return result;
}
function padded(x, sizes, value) {
  let result = x;
  for (let pair = 0; pair * 2 < sizes.length; pair++) {
    const axis = x.shape.length - 1 - pair;
    for (const [size, isAfter] of [[sizes[pair * 2], false], [sizes[pair * 2 + 1], true]]) {
      if (size < 0) result = isAfter ? slice(result, axis, 0, size, 1) : slice(result, axis, -size, null, 1);
      if (size <= 0) continue;
      const border = filled(result.shape.map((own, nth) => (nth === axis ? size : own)), x.kind, value);
      result = cat(isAfter ? [result, border] : [border, result], axis);
    }
  }
  return result;
}
function range(start, end, step, kind) {
  const size = Math.max(0, Math.ceil((end - start) / step)), result = filled([size], kind ?? "i", 0);
  result.data.forEach((_, nth) => (result.data[nth] = start + nth * step));
  return result;
}
const kindOf = (value, kind) => kind ?? (typeof value === "boolean" ? "b" : Number.isInteger(value) ? "i" : "f");
const cast = (x, kind) => (kind === null || kind === undefined ? x : elementwise(a => a, () => kind, x));
const same = x => x;

// Every operator that can be replayed, by PyTorch's name; arguments stand in the order of its schema.
const OPERATORS = {
  "_assert_scalar": same, "_assert_tensor_metadata": same, "_softmax": (x, axis) => along(x, axis, softmax),
  "_safe_softmax": (x, axis) => along(x, axis, softmax), "_log_softmax": (x, axis) => along(x, axis, logSoftmax),
  "_to_copy": cast, "_unsafe_view": view, "abs": each(Math.abs, own), "add": weighted(1),
  "addmm": (x, y, z, scale, alpha) => added(x, scale, matrix(y, z), alpha), "alias": same,
  "all": (x, axis, keep) => reduce(x, one(axis), keep, row => row.every(Boolean), "b"),
  "amax": (x, axes, keep) => reduce(x, axes, keep, largest), "amin": (x, axes, keep) => reduce(x, axes, keep, least),
  "any": (x, axis, keep) => reduce(x, one(axis), keep, row => row.some(Boolean), "b"),
  "arange.default": (end, kind) => range(0, end, 1, kind), "arange.start": (start, end, kind) => range(start, end, 1, kind),
  "arange.start_step": range, "argmax": (x, axis, keep) => reduce(x, one(axis), keep, row => place(row, largest(row)), "i"),
  "argmin": (x, axis, keep) => reduce(x, one(axis), keep, row => place(row, least(row)), "i"),
  "baddbmm": (x, y, z, scale, alpha) => added(x, scale, product(y, z), alpha), "bitwise_and": both((a, b) => a & b),
  "bitwise_not": x => elementwise(x.kind === "b" ? a => !a : a => ~a, own, x), "bitwise_or": both((a, b) => a | b), "bmm": product,
  "cat": cat, "ceil": each(Math.ceil, own), "clamp": (x, low, high) => elementwise(a => Math.min(Math.max(a, low ?? -Infinity), high ?? Infinity), own, x),
  "clamp_min": both(Math.max), "clone": same, "constant_pad_nd": padded, "contiguous": same, "convolution": convolve,
  "copy": (x, y) => expand(cast(y, x.kind), x.shape), "cos": each(Math.cos), "cumsum": (x, axis) => along(x, axis, cumulate), "detach": same, "detach_": same,
  "div": (x, y, mode) => elementwise((a, b) => rounded(a, b, mode), parts => (mode ? arithmetic(parts) : "f"), x, y),
  "dot": (x, y) => view(matrix(view(x, [1, -1]), view(y, [-1, 1])), []), "dropout": same,
  "embedding": (table, ids) => take(table, 0, ids), "eq": both((a, b) => a === b, truth), "erf": each(erf), "exp": each(Math.exp),
  "exp2": each(a => 2 ** a), "expand": expand, "expm1": each(Math.expm1), "fill": (x, value) => elementwise((_, b) => b, own, x, value),
  "flip": (x, axes) => axes.reduce((turned, axis) => take(turned, axis, range(turned.shape[at(axis, x.shape.length)] - 1, -1, -1)), x),
  "floor": each(Math.floor, own), "full": (shape, value, kind) => filled(shape, kindOf(value, kind), value),
  "full_like": (x, value, kind) => filled(x.shape, kind ?? x.kind, value), "gather": gather, "ge": both((a, b) => a >= b, truth), "gelu": gelu,
  "gt": both((a, b) => a > b, truth), "index": index, "index_select": take, "isinf": each(a => Math.abs(a) === Infinity, truth), "isnan": each(Number.isNaN, truth),
  "le": both((a, b) => a <= b, truth), "lift_fresh_copy": same,
  "linalg_vector_norm": (x, order, axes, keep) => reduce(x, axes, keep, row => total(row.map(a => Math.abs(a) ** order)) ** (1 / order)),
  "log": each(Math.log), "log1p": each(Math.log1p), "log2": each(Math.log2), "logical_and": both((a, b) => a && b, truth), "logical_not": each(a => !a, truth),
  "logical_or": both((a, b) => a || b, truth), "logical_xor": both((a, b) => !a !== !b, truth), "lt": both((a, b) => a < b, truth),
  "masked_fill": (x, mask, value) => elementwise((a, hides, b) => (hides ? b : a), own, x, mask, value), "max.default": x => reduce(x, [], false, largest), "max.dim": extreme(largest),
  "maximum": both(Math.max), "mean.default": x => reduce(x, [], false, row => total(row) / row.length), "mean.dim": (x, axes, keep) => reduce(x, axes, keep, row => total(row) / row.length),
  "min.default": x => reduce(x, [], false, least), "min.dim": extreme(least), "minimum": both(Math.min), "mm": matrix, "mul": both((a, b) => a * b),
  "mv": (x, y) => squeeze(matrix(x, unsqueeze(y, 1)), [1]), "native_dropout": x => [x, null],
  "native_layer_norm": (...given) => [layerNorm(...given), null, null], "ne": both((a, b) => a !== b, truth), "neg": each(a => -a, own),
  "new_full": (x, shape, value, kind) => filled(shape, kind ?? x.kind, value), "new_ones": (x, shape, kind) => filled(shape, kind ?? x.kind, 1),
  "new_zeros": (x, shape, kind) => filled(shape, kind ?? x.kind, 0), "ones": (shape, kind) => filled(shape, kind ?? "f", 1), "ones_like": (x, kind) => filled(x.shape, kind ?? x.kind, 1),
  "permute": permute, "pow": both((a, b) => a ** b), "prod": (x, axis, keep) => reduce(x, one(axis), keep, row => row.reduce((a, b) => a * b, 1), summed(x)),
  "reciprocal": each(a => 1 / a), "relu": each(a => Math.max(a, 0), own), "remainder": both(modulo),
  "repeat": (x, times) => times.reduce((wide, count, axis) => cat(Array(count).fill(wide), axis), view(x, [...Array(times.length - x.shape.length).fill(1), ...x.shape])),
  "reshape": view, "rsqrt": each(a => 1 / Math.sqrt(a)), "scalar_tensor": (value, kind) => filled([], kind ?? "f", value), "select": select,
  "select_scatter": (x, part, axis, place) => put(x, part, y => select(y, axis, place)), "sigmoid": each(a => 1 / (1 + Math.exp(-a))), "skip": () => null, "sign": each(Math.sign, own), "silu": each(a => a / (1 + Math.exp(-a))),
  "sin": each(Math.sin), "slice": slice, "slice_scatter": (x, part, axis, start, end, step) => put(x, part, y => slice(y, axis, start, end, step)), "split": splitEvenly, "split_with_sizes": splitInto,
  "sqrt": each(Math.sqrt), "squeeze.default": x => squeeze(x, x.shape.map((_, axis) => axis)), "squeeze.dim": (x, axis) => squeeze(x, [axis]), "squeeze.dims": squeeze,
  "stack": (parts, axis) => cat(parts.map(part => unsqueeze(part, axis)), axis), "sub": weighted(-1), "rsub": (x, y, alpha) => weighted(-1)(y, x, alpha),
  "sum.default": x => reduce(x, [], false, total, summed(x)), "sum.dim_IntList": (x, axes, keep) => reduce(x, axes, keep, total, summed(x)), "sym_constrain_range_for_size": same,
  "sym_size": (x, axis) => x.shape[at(axis, x.shape.length)], "t": x => (x.shape.length < 2 ? x : swap(x, 0, 1)), "tan": each(Math.tan), "tanh": each(Math.tanh), "transpose": swap,
  "tril": (x, diagonal) => triangle(x, (row, column) => column - row <= diagonal), "triu": (x, diagonal) => triangle(x, (row, column) => column - row >= diagonal),
  "unbind": (x, axis) => Array.from({length: x.shape[at(axis, x.shape.length)]}, (_, place) => select(x, axis, place)), "unsqueeze": unsqueeze,
  "var.correction": (x, axes, correction, keep) => reduce(x, axes, keep, variance(correction ?? 1)),
  "var_mean.correction": (x, axes, correction, keep) => [reduce(x, axes, keep, variance(correction ?? 1)), reduce(x, axes, keep, row => total(row) / row.length)],
  "view": view, "where": (mask, x, y) => elementwise((is, a, b) => (is ? a : b), parts => arithmetic(parts.slice(1)), mask, x, y),
  "zeros": (shape, kind) => filled(shape, kind ?? "f", 0), "zeros_like": (x, kind) => filled(x.shape, kind ?? x.kind, 0),
  // Python's own, on sizes and on lists of results
  "python.add": (a, b) => a + b, "python.sub": (a, b) => a - b, "python.mul": (a, b) => a * b, "python.truediv": (a, b) => a / b, "python.floordiv": (a, b) => Math.floor(a / b),
  "python.mod": modulo, "python.neg": a => -a, "python.pow": (a, b) => a ** b, "python.getitem": (parts, nth) => parts[nth], "python.eq": (a, b) => a === b, "python.ne": (a, b) => a !== b,
  "python.lt": (a, b) => a < b, "python.le": (a, b) => a <= b, "python.gt": (a, b) => a > b, "python.ge": (a, b) => a >= b, "python.sym_float": same, "python.sym_sum": parts => parts.reduce((a, b) => a + b, 0),
};

// program: {steps: [[operator, arguments], …], output}; `weights` in their order; `notice` sees each tensor.
function replay(program, weights, ids, notice = () => {}) {
  const values = [], given = {shape: [1, ids.length], kind: "i", data: Int32Array.from(ids)};
  const read = written => {
    if (!Array.isArray(written)) return written;
    const [mark, first, second] = written;
    if (mark === "list") return first.map(read);
    if (mark !== "$") return mark === "number" ? Number(first.replace("inf", "Infinity")) : first;
    return first === "ids" ? given : first === "weight" ? weights[second] : values[second];
  };
  for (const [operator, written] of program.steps) {
    values.push(OPERATORS[operator](...written.map(read)));
    if (isTensor(values.at(-1))) notice(values.at(-1));
  }
  return read(program.output);
}
function unpacked([kind, shape, text]) {
  const bytes = Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
  return {shape, kind, data: new ARRAYS[kind](bytes.buffer)};
}
