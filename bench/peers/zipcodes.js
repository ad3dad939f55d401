// Times lookups of ZIPs with the npm package zipcodes, in-process like
// BenchmarkQuickLookup. Run by run.sh.
"use strict";

const zipcodes = require("zipcodes");

const all = Object.keys(zipcodes.codes).filter((c) => /^\d{5}$/.test(c)).sort();
const codes = [];
for (let i = 0; i < 1024; i++) codes.push(all[(i * 7919) % all.length]);

function round(lookups) {
  let found = 0;
  const start = process.hrtime.bigint();
  for (let i = 0; i < lookups; i++) if (zipcodes.lookup(codes[i & 1023])) found++;
  const ns = Number(process.hrtime.bigint() - start) / lookups;
  if (found !== lookups) throw new Error(`${lookups - found} codes were not found`);
  return ns;
}

function distances(pairs) {
  let miles = 0;
  const start = process.hrtime.bigint();
  for (let i = 0; i < pairs; i++) miles += zipcodes.distance(codes[i & 1023], codes[(i + 512) & 1023]);
  const ns = Number(process.hrtime.bigint() - start) / pairs;
  if (!(miles > 0)) throw new Error("no distance");
  return ns;
}

function median(f, n) {
  f(n); // warm up
  const runs = Array.from({ length: 9 }, () => f(n)).sort((a, b) => a - b);
  return runs[4].toFixed(1);
}

console.log(`| lookup by ZIP Code | ${median(round, 2_000_000)} ns |`);
console.log(`| distance between two ZIP Codes, on a sphere, rounded to miles | ${median(distances, 500_000)} ns |`);
